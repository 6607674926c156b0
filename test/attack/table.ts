import type { ProtocolName } from '../../core/catalog/protocols.ts';
import { BODIES } from './behaviours/http-bodies.ts';
import { PROTOCOL_ROWS } from './behaviours/http-protocols.ts';
import { SHARED } from './behaviours/http-shared.ts';
import { TRANSPORT } from './behaviours/http-transport.ts';
import { OUTPUTS, PROCESSES, SERVERS } from './behaviours/stdio-processes.ts';
import { FILES } from './behaviours/files.ts';
import { CLIENTS } from './behaviours/clients.ts';
import { MANY_SMALL } from './behaviours/many-small.ts';
import { PAGES } from './behaviours/pages.ts';
import { SECRETS } from './behaviours/secrets.ts';
import type { Attack } from './support/attack.ts';
import { httpRows, type HttpAttack } from './support/http-agent.ts';
import { stdioRows } from './support/stdio-agent.ts';

/** Protocols that share one client of HTTP; MCP and A2A have clients of their own. */
const ONE_CLIENT: readonly ProtocolName[] = ['aicl', 'aicf', 'json-rpc', 'aio', 'agent-api', 'responses'];

/** What agents do below their protocol meets each client, and each protocol by turns. */
function byTurns(attack: HttpAttack, index: number): HttpAttack {
  if (attack.protocols) return attack;
  const turn = ONE_CLIENT[index % ONE_CLIENT.length];
  const protocols = new Set([...(turn ? [turn] : []), 'mcp' as const, 'a2a' as const]);
  if (attack.short) protocols.add(attack.short);
  return { ...attack, protocols: [...protocols] };
}

/** Every hostile behaviour that Parley is held to, and what has to come of it. */
export const ATTACKS: readonly Attack[] = [
  ...SHARED.flatMap(httpRows),
  ...TRANSPORT.map(byTurns).flatMap(httpRows),
  ...BODIES.flatMap(httpRows),
  ...PROTOCOL_ROWS.flatMap(httpRows),
  ...[...PROCESSES, ...OUTPUTS, ...SERVERS].flatMap(stdioRows),
  ...FILES,
  ...MANY_SMALL,
  ...PAGES,
  ...SECRETS,
  ...CLIENTS,
];
