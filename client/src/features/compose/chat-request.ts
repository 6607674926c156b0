import { escapeText } from '../../../../language/aicl/escapes.ts';
import { PARTS } from '../../../../core/catalog/media.ts';
import type { FileContent } from '../../../../wire/composer-messages.ts';

/**
 * A message of a user as a task (LightAICL 1.0, `task_request`), from which a message of any other protocol is made.
 * The files are further inputs of the task, and become the parts of the agent's protocol.
 */
export function writeTask(words: string, session: string, files: readonly FileContent[] = []): string {
  const inputs = files.length === 0 ? '' : `[s:inputs]:[l:${files.map(writeFile).join(',')}]`;
  return writeMessage(session, 'task_request', [
    `[s:task]:[s:${escapeText(words)}]`,
    `[s:constraints]:[d:${inputs}]`,
  ]);
}

/** The answer to a question of an agent (LightAICL 1.0, section 5.1). */
export function writeAnswer(words: string, session: string): string {
  return writeMessage(session, 'result', [`[s:data]:[s:${escapeText(words)}]`]);
}

function writeMessage(session: string, type: string, fields: readonly string[]): string {
  const head = [
    '[s:protocol]:[s:LightAICL]',
    `[s:session_id]:[s:${escapeText(session)}]`,
    `[s:msg_type]:[s:${type}]`,
  ];
  return `[d:\n  ${[...head, ...fields].join(',\n  ')}\n]`;
}

function writeFile({ name, mimeType, base64 }: FileContent): string {
  const members = { type: typeOf(mimeType), data: base64, mimeType, name };
  const entries = Object.entries(members).map(([key, value]) => `[s:${key}]:[s:${escapeText(value)}]`);
  return `[d:${entries.join(',')}]`;
}

/** The kind of part for a media type: `image` for `image/png`, else `file`. */
function typeOf(mimeType: string): string {
  return PARTS.find(({ media }) => media !== undefined && mimeType.startsWith(media))?.name ?? 'file';
}
