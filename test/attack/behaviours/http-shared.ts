import type { Reply } from '../../../agents/connection.ts';
import { ATTACKS } from '../../agents/support/attacks.ts';
import { RPC_ATTACKS } from '../../agents/support/rpc-attacks.ts';
import type { Expected } from '../support/attack.ts';
import type { HttpAttack } from '../support/http-agent.ts';

/** A call that ends as the tests of connections expect has this exit code, and its code is on the error output. */
function expectedOf({ status, code }: Reply): Expected {
  if (status === 'ok') return { end: [0] };
  return { end: [1], ...(code === undefined ? {} : { err: new RegExp(code) }) };
}

/**
 * The behaviours that the tests of connections and recordings hold to exact replies, against the whole command line, with its
 * protocols by turns. Those that need another limit of size than users have are left to these tests.
 */
export const SHARED: readonly HttpAttack[] = [
  ...ATTACKS.filter(({ limits }) => limits?.maxBytes === undefined).map((attack, index): HttpAttack => ({
    name: attack.name,
    does: `The agent ${attack.name}.`,
    protocols: [attack.only ?? (index % 2 === 0 ? 'aicf' : 'aicl')],
    answer: socket => attack.answer(socket),
    expected: expectedOf(attack.reply),
    ...(attack.limits || attack.timeout ? { timeout: 2 } : {}),
  })),
  ...RPC_ATTACKS.filter(({ limits }) => limits?.maxBytes === undefined).map((attack, index): HttpAttack => ({
    name: attack.name,
    does: `The agent ${attack.name}.`,
    protocols: [index % 2 === 0 ? 'json-rpc' : 'aio'],
    answer: attack.answer,
    expected: expectedOf(attack.reply),
  })),
];
