import { commands, type Disposable } from 'vscode';
import { describeError } from '../log.ts';
import { showError } from '../messages.ts';
import type { Services } from '../services.ts';
import { addAgent } from './add-agent.ts';
import type { Command } from './command.ts';
import { callTool } from './call-tool.ts';
import { compareCost } from './compare-cost.ts';
import { compareTensors } from './compare-tensors.ts';
import { connectAgent, disconnectAgent, refreshAgent } from './connect-agent.ts';
import { convert } from './convert.ts';
import { copyCall } from './copy-call.ts';
import { startDemoAgents, stopDemoAgents } from './demo-agents.ts';
import { diagnoseAgent } from './diagnose-agent.ts';
import { editTensor } from './edit-tensor.ts';
import { editText } from './edit-text.ts';
import { exportTensor } from './export-tensor.ts';
import { insertCall } from './insert-call.ts';
import { insertTensor } from './insert-tensor.ts';
import { inspectTensor } from './inspect-tensor.ts';
import type { CommandName } from '../features/manifests.ts';
import { moveCredential } from './move-credential.ts';
import { openAgentsFile } from './open-agents-file.ts';
import { manageCredentials } from './manage-credentials.ts';
import { openAsTrace, openTrace, pickTrace } from './open-trace.ts';
import { pasteMessages } from './paste-messages.ts';
import { pickAgent } from './pick-agent.ts';
import { pickDialect } from './pick-dialect.ts';
import { pickEnvironment } from './pick-environment.ts';
import { copyRecordingAddress, recordAgent, stopRecording } from './record-agent.ts';
import { replayCall, sendAgain } from './replay.ts';
import { pauseReply, resumeReply, showRaw } from './replies.ts';
import { send } from './send.ts';
import { sendAll, sendSelection } from './send-many.ts';
import { showCalls } from './show-calls.ts';
import { showMedia } from './show-media.ts';
import { signOut } from './sign-out.ts';
import { stopCall } from './stop-call.ts';
import { sendToCollector, telemetry } from './telemetry.ts';
import { hideTokenCounts, showTokenCounts } from './token-counts.ts';
import { compareTraces } from './compare-traces.ts';
import { copyTrace, exportTrace } from './trace-export.ts';
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
} from './traces.ts';

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
