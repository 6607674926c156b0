import { compactJson } from '../../language/values/json-printer.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { boolValue, dictValue, listValue, textValue, type DictValue } from '../../core/values/value.ts';

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

const RESPONSE_TYPE = textValue('mcp_approval_response');

/** OpenAI's Responses: an item in the output, answered by an item in the next input. */
export const RESPONSES_APPROVALS: ApprovalDialect = {
  goesOnFrom: 'previous_response_id',
  answer: ({ id, answer }) =>
    dictValue([
      { key: 'type', value: RESPONSE_TYPE },
      { key: 'approval_request_id', value: textValue(id) },
      { key: 'approve', value: boolValue(answer === 'approve') },
    ]),
};

/** The Agent API: a message whose content has the data that OpenAI has in the item itself. */
export const AGENT_API_APPROVALS: ApprovalDialect = {
  goesOnFrom: 'response_id',
  answer({ id, answer }) {
    const data = dictValue([
      { key: 'approval_request_id', value: textValue(id) },
      { key: 'approve', value: boolValue(answer === 'approve') },
    ]);
    const content = dictValue([
      { key: 'type', value: textValue('data') },
      { key: 'data', value: data },
    ]);
    return dictValue([
      { key: 'type', value: RESPONSE_TYPE },
      { key: 'role', value: textValue('user') },
      { key: 'content', value: listValue([content]) },
    ]);
  },
};

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
