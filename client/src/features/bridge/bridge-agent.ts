import { env } from 'vscode';
import { PROTOCOLS, protocolRow, type ProtocolName } from '../../../../core/catalog/protocols.ts';
import { isRecord } from '../../../../core/guard.ts';
import type { AgentInfo } from '../../services/agent-service.ts';
import type { BridgeInfo, BridgeStart, BridgeWish } from '../../services/bridge-service.ts';
import { findAgentTarget } from '../../targets/agent-target.ts';
import { readPort } from '../../targets/arguments.ts';
import { findRunning } from '../../targets/running-endpoint.ts';
import { runCommand, showError, showInformation } from '../../window/messages.ts';
import { pickItem } from '../../window/sinks/quick-input.ts';
import type { Command, Shared } from '../feature.ts';

/** How an agent is served, as listed in the picker. */
interface Way extends Pick<BridgeWish, 'as' | 'over'> {
  readonly label: string;
  readonly description: string;
}

/** The protocols in which a caller starts its agent as a process. */
const PROCESSES: ReadonlySet<string> = new Set(
  PROTOCOLS.filter(row => 'isServedAsProcess' in row).map(({ name }) => name),
);

/** All ways, those that are the protocol's own last: they only record. */
function listWays({ protocol }: AgentInfo): readonly Way[] {
  const ways = PROTOCOLS.flatMap(({ name, title, offer }): readonly Way[] => [
    { as: name, over: 'http', label: title, description: offer.detail },
    ...(PROCESSES.has(name)
      ? [
          {
            as: name,
            over: 'stdio' as const,
            label: `${title}, as a process`,
            description: 'callers start a command line',
          },
        ]
      : []),
  ]);
  return ways.toSorted((one, other) => Number(one.as === protocol) - Number(other.as === protocol));
}

/**
 * Serves an agent, from a row or picked, in another protocol, and shows the address for callers. An argument
 * `{ agent, as, over, port }` skips the question for the protocol. Returns the result.
 */
export const bridgeAgent: Command = async (services, [argument]) => {
  const target = await findAgentTarget(services, argument, 'Serve which agent in another protocol?');
  const { bridges } = services;
  if (!target || !bridges) return undefined;
  const { agent } = target;
  const wish = readWish(argument) ?? (await pickItem(listWays(agent), { title: `Serve ${agent.name} as` }));
  if (!wish) return undefined;
  const { as, over } = wish;
  const port = readPort(argument);
  const started = await bridges.start({ agent: agent.name, as, over, port });
  report(started);
  return started;
};

function readWish(argument: unknown): Pick<BridgeWish, 'as' | 'over'> | undefined {
  if (!isRecord(argument)) return undefined;
  const as = PROTOCOLS.find(({ name }) => name === argument['as'])?.name;
  return as && { as, over: argument['over'] === 'stdio' ? 'stdio' : 'http' };
}

/** Stops a bridge: the only one, that of a row, or one that the user picks. */
export const stopBridge: Command = async (services, [argument]) => {
  const bridge = await findBridge(services, argument, 'Stop which bridge?');
  if (bridge) await services.bridges?.stop(bridge);
};

/** Copies the address or command line of a bridge, and returns it. */
export const copyBridgeAddress: Command = async (services, [argument]) => {
  const bridge = await findBridge(services, argument, 'Copy the address of which bridge?');
  if (bridge) await env.clipboard.writeText(bridge.address);
  return bridge?.address;
};

function report(started: BridgeStart): void {
  if (!started.ok) {
    if (started.message !== undefined) showError(started.message);
    return;
  }
  const { bridge } = started;
  const isProcess = bridge.port === undefined;
  const where = isProcess ? `callers start this command line: ${bridge.address}` : `at ${bridge.address}`;
  showInformation(
    `${bridge.agent} is served as ${titleOf(bridge.as)} ${where}. Its calls are shown in Traces.`,
    new Map<string, () => unknown>([
      [isProcess ? 'Copy command line' : 'Copy address', () => env.clipboard.writeText(bridge.address)],
      ['Stop bridge', () => runCommand('parley.stopBridge', bridge.agent)],
    ]),
  );
}

function titleOf(name: ProtocolName): string {
  return protocolRow(name).title;
}

/** The name of a bridge in lists. */
export function nameOf({ agent, as, port }: BridgeInfo): string {
  return `${agent} as ${titleOf(as)}${port === undefined ? ', as a process' : ''}`;
}

function findBridge({ bridges }: Shared, argument: unknown, title: string): Promise<BridgeInfo | undefined> {
  return findRunning(bridges?.list() ?? [], argument, { title, none: 'No bridge is running.', nameOf });
}
