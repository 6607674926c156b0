import { StatusBarAlignment, window } from 'vscode';
import type { BridgeInfo } from '../../services/bridge-service.ts';
import { RunningStatus, type RunningWords } from '../../window/running-status.ts';
import { registerCommands, type ActivateFeature, type Shared } from '../feature.ts';
import { bridgeAgent, copyBridgeAddress, nameOf, stopBridge } from './bridge-agent.ts';
import type { BRIDGE } from './manifest.ts';

/** Bridges: agents that are served to callers of another protocol. */
export const activate: ActivateFeature = (shared, store) => {
  const { bridges } = shared;
  registerCommands<typeof BRIDGE, Shared>(store, shared, {
    'parley.bridgeAgent': bridgeAgent,
    'parley.stopBridge': stopBridge,
    'parley.copyBridgeAddress': copyBridgeAddress,
  });
  if (!bridges) return;
  const { onDidChange } = bridges;
  const item = window.createStatusBarItem('parley.bridges', StatusBarAlignment.Right, 99.6);
  store.add(
    new RunningStatus(item, {
      name: 'Parley bridges',
      command: 'parley.stopBridge',
      onDidChange,
      describe: () => describeBridges(bridges.list()),
    }),
  );
};

/** The status bar text for running bridges; undefined if there are none. */
function describeBridges(running: readonly BridgeInfo[]): RunningWords | undefined {
  const [first] = running;
  if (!first) return undefined;
  const what = running.length === 1 ? first.agent : `${running.length} agents`;
  return {
    text: `Bridge to ${what}`,
    icon: 'plug',
    tooltip: `${running.map(bridge => `${nameOf(bridge)}: ${bridge.address}`).join('\n')}\nClick to stop`,
    label: `Bridge to ${what}; stop it`,
  };
}
