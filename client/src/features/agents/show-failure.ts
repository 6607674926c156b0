import type { AgentMistake } from '../../services/agent-draft.ts';
import { runCommand, showError } from '../../window/messages.ts';

/** Shows why an agent could not be reached, with a button that corrects its entry if that is wrong. */
export function showFailure(
  agent: string,
  { problem, mistake }: { readonly problem: string | undefined; readonly mistake?: AgentMistake | undefined },
): void {
  const correct =
    mistake &&
    ([`Change to ${mistake.label}`, () => runCommand('parley.correctAgent', agent, mistake)] as const);
  const why = ['Show why', () => runCommand('parley.diagnoseAgent', agent)] as const;
  showError(problem ?? 'The agent did not answer', new Map([...(correct ? [correct] : []), why]));
}
