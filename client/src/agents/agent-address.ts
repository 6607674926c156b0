import type { AgentConfig } from '../../../agents/config/agent-config.ts';
import { showCommandLine } from '../../../agents/stdio/command-line.ts';
import { redactUrl } from '../../../core/secrets/redact.ts';
import type { FoundAgent } from './agent-files.ts';
import { describeReceiver } from './secrets.ts';

/** Where an agent is: its URL, or the command line of its process; variables as they are written. */
export function addressOf(config: AgentConfig): string {
  return config.type === 'http' ? redactUrl(config.url) : showCommandLine(config.command, config.args);
}

/** Who would get a secret that is sent to an agent. */
export function receiverOf({ config, file }: FoundAgent): string {
  return config.type === 'http'
    ? describeReceiver(config.url, file.fsPath, config.tls)
    : `the process ${addressOf(config)} in ${file.fsPath}`;
}
