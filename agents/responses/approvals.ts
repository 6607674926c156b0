import { dictValue } from '../../core/values/value.ts';
import { APPROVAL_RESPONSE, writeAnswer, type ApprovalDialect } from '../approvals/answers.ts';

/** A request for approval is an item in the output, answered by an item in the next input. */
export const RESPONSES_APPROVALS: ApprovalDialect = {
  goesOnFrom: 'previous_response_id',
  answer: answer => dictValue([{ key: 'type', value: APPROVAL_RESPONSE }, ...writeAnswer(answer)]),
};
