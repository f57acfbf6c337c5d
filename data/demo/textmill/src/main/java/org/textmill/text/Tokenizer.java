// SPDX-License-Identifier: Apache-2.0
package org.textmill.text;

import java.util.ArrayList;
import java.util.List;

public class Tokenizer {
    private enum State { GAP, WORD, NUMBER, QUOTE }

    public List<String> split(String line) {
        List<String> out = new ArrayList<>();
        StringBuilder cur = new StringBuilder();
        State state = State.GAP;
        for (char c : line.toCharArray()) {
            switch (state) {
                case QUOTE:
                    if (c == '"') {
                        emit(out, cur);
                        state = State.GAP;
                    } else {
                        cur.append(c);
                    }
                    break;
                case WORD:
                case NUMBER:
                    if (Character.isLetterOrDigit(c) || state == State.NUMBER && c == '.') {
                        cur.append(c);
                        break;
                    }
                    emit(out, cur);
                    state = open(c, cur, out);
                    break;
                default:
                    state = open(c, cur, out);
            }
        }
        emit(out, cur);
        return out;
    }

    private State open(char c, StringBuilder cur, List<String> out) {
        if (c == '"') {
            return State.QUOTE;
        }
        if (Character.isDigit(c)) {
            cur.append(c);
            return State.NUMBER;
        }
        if (Character.isLetter(c)) {
            cur.append(c);
            return State.WORD;
        }
        if (!Character.isWhitespace(c)) {
            out.add(String.valueOf(c));
        }
        return State.GAP;
    }

    private void emit(List<String> out, StringBuilder cur) {
        if (cur.length() > 0) {
            out.add(cur.toString());
            cur.setLength(0);
        }
    }
}
