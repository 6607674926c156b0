import type { AgentConfig } from '../../../agents/config/agent-config.ts';
import { showCommandLine } from '../../../agents/stdio/command-line.ts';
import { redactUrl } from '../../../core/secrets/redact.ts';
import type { FoundAgent } from './agent-files.ts';
import { describeReceiver } from './secrets.ts';

/** The location of an agent: its URL or the command line of its process, with variables unresolved. */
export function addressOf(config: AgentConfig): string {
  return config.type === 'http' ? redactUrl(config.url) : showCommandLine(config.command, config.args);
}

/** The receiver of a secret that is sent to an agent. */
export function receiverOf({ config, file }: FoundAgent): string {
  return config.type === 'http'
    ? describeReceiver(config.url, file.fsPath, config.tls)
    : `the process ${addressOf(config)} in ${file.fsPath}`;
}
