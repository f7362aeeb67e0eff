/** A text of any length that some pattern of ours may look at again from each of its places. */
interface HostileText {
  readonly name: string;
  of(length: number): string;
}

/** What patterns and parsers begin with, or go on with, repeated. */
const pieces = [
  ...["a", "1", " ", "\n", "-", ".", "/", ":", "@", "_", "\\", '"', "'", "<", "(", "[", "{", "=", "`", "\u0000", "é"],
  ...[
    "a ",
    "a.",
    "Aa",
    "a-",
    "a:",
    "a1",
    "1 ",
    "1-",
    "1.",
    "-1",
    ".a",
    "a@",
    "a@a.",
    "a.a@a ",
    "f-",
    "8-",
    "A1",
    "4 4",
    "--",
  ],
  ...[
    "eyJ",
    "eyJaaaaaaaa-",
    "eyJaaaaaaaa.",
    "-----BEGIN ",
    "-----BEGIN PRIVATE KEY-----",
    "AKIA",
    "sk-",
    "sk-a",
    "dlo_",
  ],
  ...[
    "://",
    "://a:",
    "://a:a",
    "://a:a@",
    "bearer ",
    "basic a",
    "password=",
    'password="',
    "password=\\",
    "password",
    "token: ",
  ],
  ...[
    '\\"password\\":\\"',
    "<password ",
    "<password>",
    "<a:password",
    "AA11 ",
    "AA11",
    "4111 1111 1111 ",
    "41111111-",
    "00-",
  ],
  ...[
    " in ",
    "at ",
    "\n    at ",
    '\n  File "',
    "\nTraceback (most recent call last):",
    "Caused by: ",
    "\nCaused by: a.B: ",
  ],
  ...[
    "failedMessage=GenericMessage [",
    ": ",
    ", stacktrace: ",
    'panic occurred: "\\',
    's:9:"',
    "\n\nNext ",
    "1:1:in ",
    "\nx:1",
  ],
  ...[
    "{[",
    '{"a":',
    "[[",
    '["a",',
    '{"a":1,',
    "[1,",
    "{}",
    "()",
    "(#,",
    "#,",
    "a=(",
    "=(",
    "1 EUR ",
    "10 Jan ",
    "error: ",
    "a::b",
  ],
  ...[
    "status code ",
    "status 5",
    "503 ",
    "/a/b",
    "\\a",
    "a\\.",
    "visibility timeout ",
    "--->",
    "goroutine ",
    "gave up after 1 attempts ",
  ],
];

/** What makes each pattern that is looked for by its sign run at all. */
const signs =
  " a@b eyJ AKIA1 sk- ://a:b@c bearer password= token: <password> AA11 1111111111111 -----BEGIN PRIVATE KEY----- {[# ";

/** Only in a whole that ends or begins otherwise do they keep a pattern going. */
const frames: readonly (readonly [before: string, after: string])[] = [
  ["", ""],
  ["", "!"],
  ['{"message":"', '"}'],
  [signs, signs],
];

export const hostileTexts: readonly HostileText[] = pieces.flatMap((piece) =>
  frames.map(([before, after]) => ({
    name: JSON.stringify(`${before.slice(0, 12)}…${piece}…${after.slice(0, 2)}`),
    of: (length: number) => before + piece.repeat(Math.ceil(length / piece.length)) + after,
  })),
);
