import { describeRunning } from '../../targets/running-endpoint.ts';
import { showWhileRunning } from '../../window/status-bar.ts';
import { registerCommands, type ActivateFeature, type Shared } from '../feature.ts';
import { bridgeAgent, copyBridgeAddress, nameOf, stopBridge } from './bridge-agent.ts';
import type { BRIDGE } from './manifest.ts';

/** Bridges: agents that are served to callers of another protocol. */
export const activate: ActivateFeature = (shared, store) => {
  const { bridges } = shared;
  registerCommands<typeof BRIDGE, Shared>(store, shared, { bridgeAgent, stopBridge, copyBridgeAddress });
  if (!bridges) return;
  showWhileRunning(store, {
    id: 'parley.bridges',
    place: 99.6,
    name: 'Parley bridges',
    command: 'parley.stopBridge',
    onDidChange: bridges.onDidChange,
    describe: () => describeRunning(bridges.list(), 'Bridge to', 'plug', nameOf),
  });
};
