// SPDX-License-Identifier: Apache-2.0
package net.gridworks.core;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

public final class Settings {
    private final Properties values = new Properties();

    public static Settings load(Path file) throws IOException {
        Settings s = new Settings();
        try (InputStream in = Files.newInputStream(file)) {
            s.values.load(in);
        }
        return s;
    }

    public String text(String key, String otherwise) {
        return values.getProperty(key, otherwise);
    }

    public int number(String key, int otherwise) {
        String v = values.getProperty(key);
        if (v == null || v.isBlank()) {
            return otherwise;
        }
        try {
            return Integer.parseInt(v.trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(key + " is not a number: " + v, e);
        }
    }

    public boolean flag(String key) {
        switch (values.getProperty(key, "no").trim().toLowerCase()) {
            case "yes":
            case "true":
            case "on":
                return true;
            default:
                return false;
        }
    }
}
