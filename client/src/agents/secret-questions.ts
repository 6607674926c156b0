import { quote } from '../../../core/text/quote.ts';
import type { SecretQuestions } from './secrets.ts';
import { askText } from '../window/sinks/quick-input.ts';
import { askInDialog } from '../window/messages.ts';

const SEND = 'Send';

/** Questions about secrets, asked with VS Code dialogs. */
export const SECRET_QUESTIONS: SecretQuestions = {
  askValue: async (name, receiver, user) =>
    askText({
      title: `Secret ${quote(name)} for ${receiver}`,
      prompt: `It is needed by ${user}. It is stored in the secret storage of VS Code and not in a file.`,
      password: true,
      ignoreFocusOut: true,
    }),
  askGrant: async (name, receiver, user) => {
    const detail = `It is needed by ${user}, and was never sent there. Send it if you know that address.`;
    const question = `Send the secret ${quote(name)} to ${receiver}?`;
    return (await askInDialog(question, detail, SEND)) === SEND;
  },
};
