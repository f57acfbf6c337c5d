// SPDX-License-Identifier: Apache-2.0
package net.gridworks.core;

import java.util.Objects;

/** A plain value with getters, as in most code bases. */
public class Station {
    private final int id;
    private String name;
    private double level;

    public Station(int id, String name) {
        this.id = id;
        this.name = Objects.requireNonNull(name);
    }

    public int getId() {
        return id;
    }

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = Objects.requireNonNull(name);
    }

    public double getLevel() {
        return level;
    }

    public void setLevel(double level) {
        if (level < 0 || level > 1) {
            throw new IllegalArgumentException("level " + level);
        }
        this.level = level;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Station && ((Station) o).id == id;
    }

    @Override
    public int hashCode() {
        return Integer.hashCode(id);
    }

    @Override
    public String toString() {
        return String.format("%s#%d(%.2f)", name, id, level);
    }
}
