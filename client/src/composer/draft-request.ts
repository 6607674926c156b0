import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { escapeText } from '../../../language/aicl/escapes.ts';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { answers } from '../../../protocols/convert/calls/asked-request.ts';
import { readAiclPieces } from '../../../language/values/aicl-reader.ts';
import { findEntry, textIn } from '../../../core/values/value.ts';
import type { Draft, DraftForm } from '../../../wire/composer-messages.ts';

/** A draft as the text of a file. */
export interface DraftFile {
  readonly language: LanguageId;
  readonly text: string;
  /** How much stands before what was written: the line that names the agent. */
  readonly head: number;
}

/** The form in which an agent of a protocol is asked first: in plain words where it takes a task, else by its tools. */
export function proposeForm(protocol: ProtocolName): DraftForm {
  const known = ALL_PROTOCOLS.find(protocol);
  return known && answers(known, 'task') ? 'plain' : 'aicf';
}

/** A draft as a file with the name of its agent above it. Plain words are a task (LightAICL 1.0, `task_request`). */
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

/** A draft as it is kept for the next window: without the credential that a request may end in, `AUTH:token`. */
export function toKept(draft: Draft): Draft {
  return { ...draft, text: draft.text.replace(/\|AUTH:[^\r\n]*/g, '') };
}

/** The words of a reply to plain words; undefined where it holds more than words. */
export function readWords(reply: string): string | undefined {
  const texts = readAiclPieces(reply).pieces.map(({ value }) =>
    ['data', 'content', 'reason'].map(key => textIn(findEntry(value, key))).find(each => each !== undefined),
  );
  return texts.length > 0 && texts.every(text => text !== undefined) ? texts.join('') : undefined;
}
