// SPDX-License-Identifier: Apache-2.0
package org.textmill.util;

/** Formats dates without any library, for log file names. */
public final class Stamp {
    private static final int[] DAYS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    private Stamp() {
    }

    static boolean leap(int year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    public static String ofEpochDay(long day) {
        int year = 1970;
        while (day >= (leap(year) ? 366 : 365)) {
            day -= leap(year) ? 366 : 365;
            year++;
        }
        int month = 0;
        while (true) {
            int length = DAYS[month] + (month == 1 && leap(year) ? 1 : 0);
            if (day < length) {
                break;
            }
            day -= length;
            month++;
        }
        return String.format("%04d-%02d-%02d", year, month + 1, day + 1);
    }
}
