import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { protocolRow, type ProtocolName, type ProtocolRow } from '../../../../core/catalog/protocols.ts';
import { answers } from '../../../../protocols/convert/calls/convertible-request.ts';
import type { ComposerAgent, ComposerMode } from '../../../../wire/composer-messages.ts';

/** How a user can write to agents of a protocol: its own ways first, then the languages that are converted. */
export function listModes(name: ProtocolName): ComposerAgent['modes'] {
  const protocol = ALL_PROTOCOLS.find(name);
  const { language, requests }: ProtocolRow = protocolRow(name);
  const modes: ComposerMode[] = [];
  if (protocol && answers(protocol, 'task')) modes.push('chat');
  if (protocol && answers(protocol, 'call') && answers(protocol, 'list')) modes.push('tools');
  if (requests) modes.push('agent-json');
  return [...modes, ...(language === 'aicl' ? (['aicl', 'aicf'] as const) : (['aicf', 'aicl'] as const))];
}
