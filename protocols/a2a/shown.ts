import { dictValue, findEntry, textIn, textValue, type Value } from '../../core/values/value.ts';
import { shownText } from '../conversation/items.ts';

/** What a person would ask where A2A has no message for it. */
const QUESTIONS: ReadonlyMap<string, string> = new Map([
  ['list', 'Which tools do you have?'],
  ['negotiate', 'Which protocols do you support?'],
]);

/** Fields that say what a message is about; the first one that is there is shown. */
const SHOWN = [
  'data',
  'items',
  'content',
  'tools',
  'declaration',
  'task',
  'query',
  'arguments',
  'text',
] as const;

/**
 * The text of a message whose envelope holds all that it says: A2A wants at least one part, and a person or a model who
 * reads it should know what it is about. It follows from the envelope alone, so a reader can take it off again.
 */
export function showEnvelope(envelope: Value): Value {
  const kind = textIn(findEntry(envelope, 'kind'));
  const question = QUESTIONS.get(kind ?? '');
  if (question !== undefined) return textValue(question);
  const tool = textIn(findEntry(envelope, 'tool'));
  if (kind === 'describe')
    return textValue(tool === undefined ? 'What can you do?' : `What does the tool ${tool} do?`);
  const key = SHOWN.find(name => findEntry(envelope, name) !== undefined);
  const shown = key && findEntry(envelope, key);
  if (shown && (key === 'tools' || key === 'declaration'))
    return shownText(dictValue([{ key, value: shown }]));
  return shown ? shownText(shown) : textValue('');
}
