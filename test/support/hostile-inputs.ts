/** Files that are small for what a careless reader makes of them; each takes its length in characters. */
export const HOSTILE_INPUTS: Readonly<Record<string, (length: number) => string>> = {
  'brackets.json': length => '['.repeat(length),
  'closed-brackets.json': length => '['.repeat(length / 2) + ']'.repeat(length / 2),
  'closed-objects.json': length => `${'{"a":'.repeat(length / 6)}1${'}'.repeat(length / 6)}`,
  'one-string.json': length => `"${'x'.repeat(length)}"`,
  'escapes.json': length => `"${'\\u0041'.repeat(length / 6)}"`,
  'backslashes.json': length => `"${'\\'.repeat(length)}"`,
  'commas.json': length => `[${','.repeat(length)}`,
  'colons.json': length => `{${':'.repeat(length)}`,
  'blanks.json': length => `${' '.repeat(length)}x`,
  'line-ends.json': length => '\r'.repeat(length),
  'keys.json': length => `{${Array.from({ length: length / 10 }, (_, at) => `"${at}":1`).join(',')}}`,
  'messages.jsonl': length => '{"jsonrpc":"2.0","id":1,"result":1}\n'.repeat(length / 36),
  'data-lines.json': length => 'data\n'.repeat(length / 5),
  'open-dictionaries.aicl': length => '[d:[s:a]:'.repeat(length / 9),
  'open-lists.aicl': length => '[l:'.repeat(length / 3),
  'closed-lists.aicl': length => '[l:'.repeat(length / 4) + ']'.repeat(length / 4),
  'messages.aicl': length =>
    '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:a],[s:msg_type]:[s:result],[s:data]:[s:b]]\n'.repeat(
      length / 91,
    ),
  'one-text.aicl': length => `[s:${'\\'.repeat(length)}]`,
  'tensor.aicl': length => `[t:uint8:${length * 0.8}:${'0'.repeat(length)}]`,
  'open-brackets.aicf': length => `OK|${'['.repeat(length)}`,
  'open-objects.aicf': length => `OK|${'{"a":'.repeat(length / 5)}`,
  'escapes.aicf': length => `OK|${'\\'.repeat(length)}`,
};
