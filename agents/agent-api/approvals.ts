import { dictValue, listValue, textValue } from '../../core/values/value.ts';
import { APPROVAL_RESPONSE, writeAnswer, type ApprovalDialect } from '../approvals/answers.ts';

/** An answer is a message whose content has the data that OpenAI has in the item itself. */
export const AGENT_API_APPROVALS: ApprovalDialect = {
  goesOnFrom: 'response_id',
  answer(answer) {
    const content = dictValue([
      { key: 'type', value: textValue('data') },
      { key: 'data', value: dictValue(writeAnswer(answer)) },
    ]);
    return dictValue([
      { key: 'type', value: APPROVAL_RESPONSE },
      { key: 'role', value: textValue('user') },
      { key: 'content', value: listValue([content]) },
    ]);
  },
};
