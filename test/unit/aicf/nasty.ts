import fc from 'fast-check';

/** Pieces of text that have broken readers of lines before. */
export const NASTY_PIECES = [
  ...[
    '|',
    '\\',
    '\r',
    '\n',
    '\r\n',
    '\u0000',
    '\ud800',
    '\udc00',
    '\ufeff',
    '\u2028',
    '\u00a0',
    '\t',
    ' ',
    '  ',
  ],
  ...[
    'constructor',
    '__proto__',
    'Request:',
    'Response:',
    '@',
    '@agent x',
    '#',
    '`',
    '```',
    '```aicf',
    '?',
    ':',
    ',',
  ],
  ...[
    'CALL',
    'LIST',
    'INFO',
    'OK',
    'ERR',
    'TOOLS',
    'TOOL',
    'STREAM',
    'END',
    'call',
    'List',
    'eRR',
    'PING',
    'P2_X',
    'X',
  ],
  ...[
    '|',
    '|',
    '|',
    '\\|',
    '\\n',
    '\\',
    '404',
    'a:b',
    '{"',
    '{"a":"',
    '{}',
    '["a"]',
    '[1',
    '"}',
    'AUTH:',
    'ı',
    'word',
    'C:\\n',
  ],
];

/** Texts of such pieces. */
export function nastyText(): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...NASTY_PIECES), { maxLength: 24 }).map(pieces => pieces.join(''));
}

/** Such texts without line ends. */
export function nastyLine(): fc.Arbitrary<string> {
  return nastyText().map(text => text.replace(/[\r\n]/g, ''));
}
