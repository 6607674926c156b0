import { escapeText } from '../../../protocol/src/aicl/escapes.ts';
import type { LanguageId } from '../../../protocol/src/catalog/languages.ts';
import { readAiclPieces } from '../../../protocol/src/convert/text/aicl-reader.ts';
import { findEntry, textIn } from '../../../protocol/src/message/value.ts';
import type { Draft } from '../../../protocol/src/wire/composer-messages.ts';

/** A draft as a request in one of our languages. */
export interface DraftRequest {
  readonly language: LanguageId;
  readonly text: string;
  /** What a list of calls shows for it. */
  readonly title: string;
}

const LONGEST_TITLE = 40;

/** The request that a draft comes to: plain words are a task (LightAICL 1.0, `task_request`). */
export function readDraft({ form, text }: Draft): DraftRequest {
  const [start = ''] = text.trim().split('\n', 1);
  if (form === 'plain') {
    return { language: 'aicl', text: writeTask(text.trim()), title: shorten(start) };
  }
  if (form === 'aicf') {
    const [command = '', tool = ''] = start.split('|');
    return { language: form, text: start, title: shorten(tool || command) };
  }
  const [call] = readAiclPieces(text).pieces;
  const words = ['tool', 'query', 'task', 'msg_type'].map(key => textIn(findEntry(call?.value, key)));
  return { language: form, text: text.trim(), title: shorten(words.find(Boolean) ?? 'AICL message') };
}

/** Why a draft is not sent as it stands, as a sentence; undefined where it is. */
export function findFault({ form, text }: Draft): string | undefined {
  if (REPLACED.test(text))
    return 'Variables and secrets are replaced in files alone. Choose Open as file and send it there.';
  const count =
    form === 'plain'
      ? 1
      : form === 'aicf'
        ? text.trim().split(/\s*\n\s*/).length
        : readAiclPieces(text).pieces.length;
  if (count > 1) return 'Compose sends one request at a time. Choose Open as file to send several.';
  return form !== 'plain' && text.trim().startsWith('#')
    ? 'A line that begins with # is for people and is never sent. Write a request.'
    : undefined;
}

/** What a file would have replaced, and an agent must never get as it is written. */
const REPLACED = /\{\{\s*(?:secret\b|\$)/;

function writeTask(words: string): string {
  return [
    '[d:',
    '  [s:protocol]:[s:LightAICL],',
    '  [s:session_id]:[s:parley],',
    '  [s:msg_type]:[s:task_request],',
    `  [s:task]:[s:${escapeText(words)}],`,
    '  [s:constraints]:[d:]',
    ']',
  ].join('\n');
}

function shorten(text: string): string {
  return text.length > LONGEST_TITLE ? `${text.slice(0, LONGEST_TITLE - 1)}…` : text;
}

/** The words of a reply to plain words; undefined where it holds more than words. */
export function readWords(reply: string): string | undefined {
  const texts = readAiclPieces(reply).pieces.map(({ value }) =>
    ['data', 'content', 'reason'].map(key => textIn(findEntry(value, key))).find(each => each !== undefined),
  );
  return texts.length > 0 && texts.every(text => text !== undefined) ? texts.join('') : undefined;
}
