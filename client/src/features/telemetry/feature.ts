import { StatusBarAlignment, window } from 'vscode';
import { RunningStatus, type RunningWords } from '../../window/running-status.ts';
import { registerCommands, type ActivateFeature, type Shared } from '../feature.ts';
import type { TELEMETRY } from './manifest.ts';
import { describeReceiver } from './receiver-status.ts';
import { describeSending } from './sending-status.ts';
import { sendToCollector, telemetry } from './telemetry.ts';

/** Spans from instrumented agents, and spans to a collector. */
export const activate: ActivateFeature = (shared, store) => {
  const { telemetry: service } = shared;
  registerCommands<typeof TELEMETRY, Shared>(store, shared, {
    'parley.telemetry': telemetry,
    'parley.sendToCollector': sendToCollector,
  });
  if (!service) return;
  const show = (
    id: string,
    place: number,
    name: string,
    stop: string,
    describe: () => RunningWords | undefined,
  ): void => {
    const item = window.createStatusBarItem(id, StatusBarAlignment.Right, place);
    const { onDidChange } = service;
    store.add(
      new RunningStatus(item, {
        name,
        command: 'parley.telemetry',
        arguments: [stop],
        onDidChange,
        describe,
      }),
    );
  };
  show(
    'parley.telemetry',
    99.6,
    'Parley telemetry receiver',
    'stopReceiver',
    () => service.receiver && describeReceiver(service.receiver),
  );
  show(
    'parley.sending',
    99.55,
    'Parley sending to a collector',
    'stopSending',
    () => service.sending && describeSending(service.sending),
  );
};
