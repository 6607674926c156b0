import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { escapeText } from '../../../../language/aicl/escapes.ts';
import type { MessageLanguage, ProtocolName } from '../../../../core/catalog/protocols.ts';
import { answers } from '../../../../protocols/convert/calls/convertible-request.ts';
import { readAiclPieces } from '../../../../language/values/aicl-reader.ts';
import { findEntry, textIn } from '../../../../core/values/value.ts';
import type { Draft, DraftForm } from '../../../../wire/composer-messages.ts';

/** A draft as the text of a file. */
export interface DraftFile {
  readonly language: MessageLanguage;
  readonly text: string;
  /** The length of the text before the user's text: the line that names the agent. */
  readonly head: number;
}

/** The default form for an agent of a protocol: plain text if it accepts tasks, else tool calls. */
export function proposeForm(protocol: ProtocolName): DraftForm {
  const known = ALL_PROTOCOLS.find(protocol);
  return known && answers(known, 'task') ? 'plain' : 'aicf';
}

/**
 * Prints a draft as a file with its agent's name above. Plain text becomes a task (LightAICL 1.0,
 * `task_request`).
 */
export function printDraft({ agent, form, text }: Draft): DraftFile {
  const head = agent === '' ? '' : `# @agent ${agent}\n`;
  const written = form === 'plain' ? writeTask(text.trim()) : text;
  const end = written.endsWith('\n') ? '' : '\n';
  return { language: form === 'plain' ? 'aicl' : form, text: `${head}${written}${end}`, head: head.length };
}

function writeTask(words: string): string {
  return [
    '[d:',
    '  [s:protocol]:[s:LightAICL],',
    '  [s:session_id]:[s:session],',
    '  [s:msg_type]:[s:task_request],',
    `  [s:task]:[s:${escapeText(words)}],`,
    '  [s:constraints]:[d:]',
    ']',
  ].join('\n');
}

/** A draft in the form that is stored, without the credential `AUTH:token` at the end of a request. */
export function toStored(draft: Draft): Draft {
  return { ...draft, text: draft.text.replace(/\|AUTH:[^\r\n]*/g, '') };
}

/** The text of a reply to plain text; undefined if the reply contains anything else. */
export function readWords(reply: string): string | undefined {
  const texts = readAiclPieces(reply).pieces.map(({ value }) =>
    ['data', 'content', 'reason'].map(key => textIn(findEntry(value, key))).find(each => each !== undefined),
  );
  return texts.length > 0 && texts.every(text => text !== undefined) ? texts.join('') : undefined;
}
