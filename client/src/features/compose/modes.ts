import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import type { ProtocolName } from '../../../../core/catalog/protocols.ts';
import { answers } from '../../../../protocols/convert/calls/convertible-request.ts';
import type { ComposerMode } from '../../../../wire/composer-messages.ts';

/** How a user can write to agents of a protocol; the first one is its own. */
export function listModes(name: ProtocolName): readonly ComposerMode[] {
  const protocol = ALL_PROTOCOLS.find(name);
  if (!protocol) return [];
  const hasTools = answers(protocol, 'call') && answers(protocol, 'list');
  return [
    ...(answers(protocol, 'task') ? (['chat'] as const) : []),
    ...(hasTools ? (['tools'] as const) : []),
  ];
}
