#include "libcore/codec/adaptive/first_text.hpp"

#include <vector>

namespace logpx::codec::adaptive {
namespace {

// Never changed: what was coded after it could not be read.
constexpr std::string_view first_code = R"text(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIZE 1024

/* Returns the number of words in a line, or -1 if there is an error. */
static int count_words(const char *text, size_t length)
{
    int count = 0, inside = 0;
    size_t i;

    if (text == NULL)
        return -1;
    for (i = 0; i < length; i++) {
        if (text[i] == ' ' || text[i] == '\n' || text[i] == '\t') {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            count++;
        }
    }
    return count;
}

int main(int argc, char *argv[])
{
    char buffer[MAX_SIZE];
    FILE *file = argc > 1 ? fopen(argv[1], "r") : stdin;
    unsigned long total = 0;

    if (file == NULL) {
        fprintf(stderr, "%s: cannot open file %s\n", argv[0], argv[1]);
        exit(1);
    }
    while (fgets(buffer, sizeof(buffer), file) != NULL)
        total += count_words(buffer, strlen(buffer));
    printf("%lu\n", total);
    fclose(file);
    return 0;
}

// A list of values with a name, sorted when it is printed.
template <typename T>
class Table : public Object {
 public:
  explicit Table(std::string name) : name_(std::move(name)) {}
  virtual ~Table() = default;

  void add(const T& value) { values_.push_back(value); }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  bool empty() const override;

 private:
  std::string name_;
  std::vector<T> values_;
};

namespace test {
using std::uint32_t;
for (const auto& [key, value] : map) std::cout << key << ": " << value << "\n";
switch (type) { case 1: break; default: throw std::runtime_error("unknown type"); }
}  // namespace test

#!/usr/bin/env python3
"""Reads a table of numbers and writes the mean of every column."""
import argparse
import json
import os
import sys
from collections import defaultdict

import numpy as np


class Reader:
    def __init__(self, path, delimiter=","):
        self.path = path
        self.delimiter = delimiter
        self.rows = []

    def read(self):
        with open(self.path, encoding="utf-8") as file:
            for number, line in enumerate(file):
                if not line.strip() or line.startswith("#"):
                    continue
                self.rows.append([float(value) for value in line.split(self.delimiter)])
        return self


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=str, default=None, help="where to write (default: -)")
    args = parser.parse_args()
    try:
        data = np.array(Reader(args.input).read().rows)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    result = {"mean": data.mean(axis=0).tolist(), "count": len(data)}
    if args.output is not None:
        return json.dump(result, open(args.output, "w"), indent=2)
    print(np.zeros(10, dtype=np.float32), True, False, None)


if __name__ == "__main__":
    sys.exit(main())

#!/bin/bash
set -e
for file in "$@"; do
  if [ -f "$file" ]; then
    name=$(basename "$file" .txt)
    sort "$file" | uniq -c | awk '{ print $1 }' > "/tmp/$name.out" || exit 1
    echo "done: $name"
  fi
done
cd /usr/local/bin && sudo make install

import java.util.ArrayList;
public class Main extends Base implements Runnable {
    private static final int DEFAULT_TIMEOUT = 30000;
    public static void main(String[] args) throws IOException {
        System.out.println("Hello, world!");
    }
    public String getName() { return this.name; }
    public void setName(String name) { this.name = name; }
}

'use strict';
const express = require('express');
export default function update(state, action) {
  let index = state.items.length - 1;
  var element = document.getElementById('content');
  element.addEventListener('click', function (event) { event.preventDefault(); });
  return Object.assign({}, state, { value: null, undefined: true });
}
async () => {
  await fetch(url).then(response => response.json()).catch(error => console.log(error));
};

SELECT id, name, COUNT(*) AS total FROM users LEFT JOIN orders ON users.id = orders.user_id
WHERE created_at >= '2019-01-01' AND status IS NOT NULL GROUP BY name ORDER BY total DESC LIMIT 10;
INSERT INTO items (id, name, price) VALUES (1, 'book', 12.50), (2, 'table', 199.99);

.TH NAME 1 "January 2001"
.SH DESCRIPTION
.PP
The
.I file
is read from
.BR input (1).
\begin{section}{Introduction}
\textbf{Theorem 1.} \label{eq:first} $x_{i+1} = \frac{1}{2} \alpha$ \cite{smith}
\end{section}
)text";

constexpr std::string_view first_markup = R"text(
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Home page</title>
  <link rel="stylesheet" type="text/css" href="style.css">
  <script type="text/javascript" src="https://www.example.com/js/main.min.js"></script>
  <style>
    body { margin: 0; padding: 10px; font-family: Arial, Helvetica, sans-serif; font-size: 14px; }
    .title { color: #333; background-color: #ffffff; border: 1px solid #ccc; text-align: center; }
    #content a:hover { display: block; width: 100%; height: auto; position: relative; }
  </style>
</head>
<body>
<div class="container" id="content">
  <h1>Welcome</h1>
  <p>This is the <a href="http://www.example.org/index.html">first</a> page of <b>our</b> site.</p>
  <ul>
    <li class="item">One</li>
    <li class="item">Two</li>
  </ul>
  <img src="images/logo.png" alt="" width="100" height="50" /><br>
  <table border="0" cellpadding="0" cellspacing="0">
    <tr><td>&nbsp;</td><td align="right">12</td></tr>
  </table>
  <form action="/search" method="post"><input type="submit" name="q" value="Search"></form>
</div>
</body>
</html>
<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24">
<path d="M12 2L2 7l10 5"/></svg>

{
  "name": "example",
  "version": "1.0.0",
  "description": "A short example",
  "private": true,
  "license": "MIT",
  "scripts": {
    "test": "node test.js",
    "build": "make all"
  },
  "dependencies": {
    "core": "^2.4.1"
  },
  "items": [
    {"id": 1, "type": "user", "title": "First", "value": 0.5, "tags": ["a", "b"], "parent": null},
    {"id": 2, "type": "user", "title": "Second", "value": -1.25, "tags": [], "enabled": false}
  ]
}

# Project

[![Build Status](https://img.shields.io/badge/build-passing-green.svg)](https://github.com/)

## Installation

```sh
git clone https://github.com/user/project.git
pip install -r requirements.txt
```

* **Fast**: uses `--threads 4` by default
- [ ] See the [documentation](docs/README.md) for details

[section]
key = value
path = "/home/user/data"
server:
  host: localhost
  port: 8080

From: John Smith <john@example.com>
To: list@example.org
Date: Mon, 14 Jan 2002 09:15:27 +0000
Subject: Re: [PATCH] Fix memory leak in the parser
Message-ID: <20020114091527.12345@mail.example.com>
Content-Type: text/plain; charset=us-ascii

On Fri, Jan 11, 2002 at 10:30 AM, someone wrote:
> I think that this is not the right place for it.

2021-03-15 10:22:31,456 INFO  [main] Server started on port 8080 (pid 1234)
2021-03-15 10:22:35,001 ERROR [worker-2] Connection refused: 192.168.1.10:5432
127.0.0.1 - - [10/Oct/2020:13:55:36 +0200] "GET /index.html HTTP/1.1" 200 2326

id,date,name,price,quantity,total
1,2020-01-05,apple,0.25,100,25.00
2,2020-01-06,orange,0.40,250,100.00
3,2020-01-07,bread,2.10,12,25.20
1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
0.1 0.01 0.001 1.0e-05 3.14159 2.71828 100 1000 10000 0.0 -1 0 1 1970 1980 1990 2000 2010 2020
0000000 0123456789 abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ
)text";

}  // namespace

std::span<const std::uint8_t> first_text() {
  static const std::vector<std::uint8_t> text = [] {
    std::vector<std::uint8_t> all;
    for (const std::string_view part : {first_code, first_markup, first_prose()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return text;
}

}  // namespace logpx::codec::adaptive
