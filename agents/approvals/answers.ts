import { compactJson } from '../../language/values/json-printer.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import {
  boolValue,
  dictValue,
  listValue,
  textValue,
  type DictValue,
  type Entry,
} from '../../core/values/value.ts';

export interface ApprovalAnswer {
  readonly id: string;
  readonly answer: 'approve' | 'refuse';
}

/** How a protocol asks for approval and receives the answer. */
export interface ApprovalDialect {
  /** The item that answers a request for approval. */
  answer(answer: ApprovalAnswer): DictValue;
  /** The member of a request that names the response that it continues. */
  readonly goesOnFrom: string;
}

/** The type of an item that answers a request for approval. */
export const APPROVAL_RESPONSE = textValue('mcp_approval_response');

/** The members of an answer that all protocols with approvals have. */
export function writeAnswer({ id, answer }: ApprovalAnswer): readonly Entry[] {
  return [
    { key: 'approval_request_id', value: textValue(id) },
    { key: 'approve', value: boolValue(answer === 'approve') },
  ];
}

/**
 * The request with the answers: the previous one with the answers as its input; undefined if that is not a
 * JSON object.
 */
export function writeAnswers(
  request: string,
  response: string | undefined,
  answers: readonly ApprovalAnswer[],
  dialect: ApprovalDialect,
): string | undefined {
  const value = readWrittenJson(request);
  if (value?.kind !== 'dict') return undefined;
  const stored = value.entries.filter(({ key }) => key !== 'input' && key !== dialect.goesOnFrom);
  return compactJson(
    dictValue([
      ...stored,
      { key: dialect.goesOnFrom, value: response === undefined ? undefined : textValue(response) },
      { key: 'input', value: listValue(answers.map(answer => dialect.answer(answer))) },
    ]),
    'written',
  );
}
