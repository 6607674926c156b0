import { commands, type Disposable } from 'vscode';
import { describeError } from '../base/log.ts';
import { showError } from '../window/messages.ts';
import type { Services } from '../services.ts';
import { addAgent } from '../features/agents/add-agent.ts';
import type { Command } from './command.ts';
import { callTool } from '../features/agents/call-tool.ts';
import { compareCost } from '../features/cost/compare-cost.ts';
import { compareTensors } from '../features/tensors/compare-tensors.ts';
import { connectAgent, disconnectAgent, refreshAgent } from '../features/agents/connect-agent.ts';
import { convert } from '../features/convert/convert.ts';
import { copyCall } from '../features/agents/copy-call.ts';
import { startDemoAgents, stopDemoAgents } from '../features/agents/demo-agents.ts';
import { diagnoseAgent } from '../features/agents/diagnose-agent.ts';
import { editTensor } from '../features/tensors/edit-command.ts';
import { editText } from '../features/values/edit-text.ts';
import { exportTensor } from '../features/tensors/export-command.ts';
import { insertCall } from '../features/agents/insert-call.ts';
import { insertTensor } from '../features/tensors/insert-command.ts';
import { inspectTensor } from '../features/tensors/inspect-tensor.ts';
import type { CommandName } from '../features/manifests.ts';
import { moveCredential } from '../features/credentials/move-credential.ts';
import { openAgentsFile } from '../features/agents/open-agents-file.ts';
import { manageCredentials } from '../features/credentials/manage-credentials.ts';
import { openAsTrace, openTrace, pickTrace } from '../features/traces/timeline/open-trace.ts';
import { pasteMessages } from '../features/convert/paste-messages.ts';
import { pickAgent } from '../features/send/pick-agent.ts';
import { pickDialect } from '../features/language/pick-dialect.ts';
import { pickEnvironment } from '../features/variables/pick-environment.ts';
import { copyRecordingAddress, recordAgent, stopRecording } from '../features/recording/record-agent.ts';
import { replayCall, sendAgain } from '../features/traces/replay/replay-commands.ts';
import { pauseReply, resumeReply, showRaw } from '../features/replies/reply-commands.ts';
import { send } from '../features/send/send-at-cursor.ts';
import { sendAll, sendSelection } from '../features/send/send-several.ts';
import { showCalls } from '../features/traces/timeline/show-calls.ts';
import { showMedia } from '../features/values/show-media.ts';
import { signOut } from '../features/agents/sign-out.ts';
import { stopCall } from '../features/send/stop-call.ts';
import { sendToCollector, telemetry } from '../features/telemetry/telemetry.ts';
import { hideTokenCounts, showTokenCounts } from '../features/cost/token-counts.ts';
import { compareTraces } from '../features/traces/compare/compare-command.ts';
import { copyTrace, exportTrace } from '../features/traces/export/export-command.ts';
import {
  clearTraceFilter,
  clearTraces,
  deleteTrace,
  filterTraces,
  openCall,
  openReply,
  openRequest,
  openSource,
  pauseTraces,
  pinTrace,
  resumeTraces,
  unpinTrace,
} from '../features/traces/view/view-commands.ts';

const COMMANDS = {
  'parley.send': send,
  'parley.stopCall': stopCall,
  'parley.pauseReply': pauseReply,
  'parley.resumeReply': resumeReply,
  'parley.showRaw': showRaw,
  'parley.pickAgent': pickAgent,
  'parley.pickEnvironment': pickEnvironment,
  'parley.moveCredential': moveCredential,
  'parley.pickDialect': pickDialect,
  'parley.startDemoAgents': startDemoAgents,
  'parley.stopDemoAgents': stopDemoAgents,
  'parley.addAgent': addAgent,
  'parley.connectAgent': connectAgent,
  'parley.disconnectAgent': disconnectAgent,
  'parley.refreshAgent': refreshAgent,
  'parley.signOut': signOut,
  'parley.insertCall': insertCall,
  'parley.copyCall': copyCall,
  'parley.openAgentsFile': openAgentsFile,
  'parley.openCall': openCall,
  'parley.openSource': openSource,
  'parley.openRequest': openRequest,
  'parley.openReply': openReply,
  'parley.exportTrace': exportTrace,
  'parley.copyTrace': copyTrace,
  'parley.compareTraces': compareTraces,
  'parley.replayCall': replayCall,
  'parley.clearTraces': clearTraces,
  'parley.deleteTrace': deleteTrace,
  'parley.pinTrace': pinTrace,
  'parley.unpinTrace': unpinTrace,
  'parley.filterTraces': filterTraces,
  'parley.clearTraceFilter': clearTraceFilter,
  'parley.pauseTraces': pauseTraces,
  'parley.resumeTraces': resumeTraces,
  'parley.openAsTrace': openAsTrace,
  'parley.pickTrace': pickTrace,
  'parley.showCalls': showCalls,
  'parley.manageCredentials': manageCredentials,
  'parley.showLog': ({ log }) => log.show(),
  'parley.restartServer': ({ server }) => server.restart(),
  'parley.inspectTensor': inspectTensor,
  'parley.compareTensors': compareTensors,
  'parley.insertTensor': insertTensor,
  'parley.editTensor': editTensor,
  'parley.editText': editText,
  'parley.exportTensor': exportTensor,
  'parley.showMedia': showMedia,
  'parley.convert': convert,
  'parley.pasteMessages': pasteMessages,
  'parley.compareCost': compareCost,
  'parley.showTokenCounts': showTokenCounts,
  'parley.hideTokenCounts': hideTokenCounts,
  'parley.sendSelection': sendSelection,
  'parley.sendAll': sendAll,
  'parley.sendAgain': sendAgain,
  'parley.callTool': callTool,
  'parley.diagnoseAgent': diagnoseAgent,
  'parley.recordAgent': recordAgent,
  'parley.stopRecording': stopRecording,
  'parley.sendToCollector': sendToCollector,
  'parley.telemetry': telemetry,
  'parley.openTrace': openTrace,
  'parley.copyRecordingAddress': copyRecordingAddress,
} as const satisfies Record<CommandName, Command>;

export function registerCommands(services: Services): Disposable[] {
  return Object.entries<Command>(COMMANDS).map(([name, command]) =>
    commands.registerCommand(name, (...args: unknown[]) => runGuarded(name, command, services, args)),
  );
}

/** An exception of a command is a bug: it is logged completely, and the user sees one sentence. */
async function runGuarded(
  name: string,
  command: Command,
  services: Services,
  args: readonly unknown[],
): Promise<unknown> {
  try {
    return await command(services, args);
  } catch (error) {
    services.log.error(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    showError(`The command ${name} failed: ${describeError(error)}`);
    return undefined;
  }
}
