// SPDX-License-Identifier: Apache-2.0
package net.gridworks.net;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Stations and the one-way pipes between them. */
public class Plant {
    public static final class Pipe {
        public final int from;
        public final int to;
        public final int size;

        Pipe(int from, int to, int size) {
            this.from = from;
            this.to = to;
            this.size = size;
        }
    }

    private final List<List<Pipe>> out = new ArrayList<>();

    public Plant(int stations) {
        for (int i = 0; i < stations; i++) {
            out.add(new ArrayList<>());
        }
    }

    public int stations() {
        return out.size();
    }

    public Plant connect(int from, int to, int size) {
        out.get(from).add(new Pipe(from, to, size));
        return this;
    }

    public Plant connectBoth(int a, int b, int size) {
        return connect(a, b, size).connect(b, a, size);
    }

    public List<Pipe> from(int station) {
        return Collections.unmodifiableList(out.get(station));
    }

    public Plant reversed() {
        Plant r = new Plant(stations());
        for (List<Pipe> pipes : out) {
            for (Pipe p : pipes) {
                r.connect(p.to, p.from, p.size);
            }
        }
        return r;
    }
}
