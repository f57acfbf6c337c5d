// SPDX-License-Identifier: Apache-2.0
package org.textmill.util;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

public final class Files2 {
    private static final Logger LOG = Logger.getLogger(Files2.class.getName());

    private Files2() {
    }

    /** Lines of a file up to a limit; an unreadable file gives what was read. */
    public static List<String> head(Path file, int limit) {
        List<String> lines = new ArrayList<>();
        BufferedReader in = null;
        try {
            in = Files.newBufferedReader(file, StandardCharsets.UTF_8);
            String line;
            while (lines.size() < limit && (line = in.readLine()) != null) {
                lines.add(line);
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "cannot read " + file, e);
        } finally {
            if (in != null) {
                try {
                    in.close();
                } catch (IOException e) {
                    LOG.log(Level.FINE, "close", e);
                }
            }
        }
        return lines;
    }

    public static String extension(String name) {
        int dot = name.lastIndexOf('.');
        return dot <= 0 ? "" : name.substring(dot + 1);
    }
}
