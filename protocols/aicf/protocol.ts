import { textIn } from '../../core/values/value.ts';
import { findFieldEnd, decodeField, encodeField } from '../../language/aicf/codec.ts';
import { AICF_MESSAGES } from './messages.ts';
import type { BodyKind, Protocol } from '../protocol.ts';
import { AicfBody } from './reply-body.ts';
import { AicfParts } from './reply-parts.ts';
import { findAicfCredential } from '../../language/aicf/parse.ts';

/** AICF-RPC 1.0. Its messages are lines: as a value, a message is the text of its line. */
export const AICF: Protocol = {
  ...AICF_MESSAGES,
  requests: {
    endpoint: /\/aip\/v1\/aicf\/?$/,
    title: value => titleOfLine(textIn(value) ?? ''),
    findSecrets(text) {
      const credential = findAicfCredential(text);
      return credential === undefined ? [] : [credential, decodeField(credential, 'request')];
    },
  },
  replies: {
    openBody: (reading, keeps) => new AicfBody(reading, keeps),
    openParts: () => new AicfParts(),
    ignoresStatus: true,
  },
  calls: {
    answers: ['call', 'list', 'describe'],
    callsKindsByName: true,
    describesEach: true,
    hidesRequired: true,
  },
  spans: { titlesAreTools: true },
  refuse: (_request, code, why) => ({
    line: '200 OK',
    contentType: 'text/plain; charset=utf-8',
    body: `ERR|${code ?? 500}|${encodeField(why)}`,
  }),
  advise,
};

/** The path at which a server takes AICF (AICF-RPC 1.0, "HTTP Transport"). */
export const AICF_PATH = '/aip/v1/aicf';

function advise(
  kind: BodyKind,
  { origin, pathname }: { readonly origin: string; readonly pathname: string },
): string {
  if (pathname !== AICF_PATH)
    return `the AICF endpoint would be ${origin}${AICF_PATH}; put it into the agent's url`;
  return kind === 'json' || kind === 'rpc'
    ? `this server answers JSON here; its JSON-RPC endpoint would be ${origin}/aip/v1/rpc, AICF it seems not to speak`
    : 'check that an AICF-RPC server runs at this address';
}

/** The tool of a call; for other commands, the command and its first field. */
function titleOfLine(line: string): string {
  const at = line.indexOf('|');
  if (at === -1) return line.trim();
  const [command, rest] = [line.slice(0, at).trim(), line.slice(at + 1)];
  const subject = decodeField(rest.slice(0, findFieldEnd(rest, 0)), 'request');
  if (command === 'CALL' && subject !== '') return subject;
  return subject === '' ? command : `${command} ${subject}`;
}
