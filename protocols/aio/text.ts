import type { MessageField } from '../../core/catalog/message-kinds.ts';
import { dictValue, findEntry, textIn, textValue, type Value } from '../../core/values/value.ts';
import { isTraceparent } from '../rpc/meta.ts';
import type { Members } from '../message/members.ts';

/** The text of a value `{type: "text", value}` that says nothing else; undefined for any other. */
export function findText(value: Value | undefined): Value | undefined {
  if (value?.kind !== 'dict' || value.entries.length !== 2) return undefined;
  const text = findEntry(value, 'value');
  return textIn(findEntry(value, 'type')) === 'text' && text?.kind === 'text' ? text : undefined;
}

/** A text as AIO writes values. */
export function textOutput(text: Value): Value {
  return dictValue([
    { key: 'type', value: textValue('text') },
    { key: 'value', value: text },
  ]);
}

/** The trace for the member `trace_id`. A name in the W3C form is none of AIO, so it stays among the fields. */
export function takeTrace(fields: Members<MessageField>): Value | undefined {
  return isTraceparent(fields.peek('trace')) ? undefined : fields.take('trace');
}
