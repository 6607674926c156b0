import { env, Uri, workspace } from 'vscode';
import type {
  AddressQuestion,
  AgentQuestions,
  ApprovalQuestion,
  FormAnswer,
  FormQuestion,
  SamplingQuestion,
} from '../../../core/message/message.ts';
import { quote } from '../../../core/text/quote.ts';
import { askInForm } from './questions/form-question.ts';
import { askInTime } from './questions/in-time.ts';
import { askForText } from './questions/text-question.ts';
import { QuestionDocuments } from './questions/question-documents.ts';
import { askInDialog, askInNotification, showWarning } from '../window/messages.ts';
import { Owner } from '../base/dispose.ts';

/** The maximum length of an agent's text in a question. */
const LONGEST = 2_000;

/**
 * Asks the user the questions of agents during a call, with VS Code dialogs. The agent is always named; if
 * the call ends, its question is closed.
 */
export class UserQuestions extends Owner implements AgentQuestions {
  readonly #extension: Uri;
  readonly #documents = this.own(new QuestionDocuments());
  /** Whether each agent may receive the folders of the window, once the user was asked. */
  readonly #grantedRoots = new Map<string, Promise<boolean>>();

  constructor(extension: Uri) {
    super();
    this.#extension = extension;
  }

  async fillForm(question: FormQuestion, signal: AbortSignal): Promise<FormAnswer> {
    return askInForm(this.#extension, question, signal);
  }

  /** Shows the complete address, so that its host is visible. */
  async openAddress(
    { agent, message, url }: AddressQuestion,
    signal: AbortSignal,
  ): Promise<'accept' | 'decline' | 'cancel'> {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
      showWarning(
        `${agent} wants to open ${quote(url, LONGEST)}, which is not a web address. It was not opened.`,
      );
      return 'decline';
    }
    const detail = `${clip(message)}\n\n${url}\n\nOpen it if you know the site ${new URL(url).host}.`;
    const asking = askInDialog(
      `The agent ${quote(agent)} requests that you open a page`,
      detail,
      OPEN,
      DECLINE,
    );
    const answer = await askInTime(asking, signal);
    if (answer === DECLINE) return 'decline';
    if (answer !== OPEN) return 'cancel';
    return (await env.openExternal(Uri.parse(url, true))) ? 'accept' : 'cancel';
  }

  writeText(question: SamplingQuestion, signal: AbortSignal): Promise<string | undefined> {
    return askForText(question, this.#documents, signal);
  }

  async approve({ agent, tool, arguments: json }: ApprovalQuestion, signal: AbortSignal): Promise<boolean> {
    const asking = askInDialog(
      `The agent ${quote(agent)} requests approval to run the tool ${quote(tool)}`,
      `With these arguments:\n${clip(json)}`,
      RUN,
    );
    return (await askInTime(asking, signal)) === RUN;
  }

  /** Asked once per agent and window, because paths reveal the user's identity and work. */
  async listRoots(agent: string): Promise<readonly { readonly uri: string; readonly name: string }[]> {
    const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    if (folders.length === 0) return [];
    const paths = folders.map(({ uri }) => uri.fsPath);
    const asking = this.#grantedRoots.get(agent) ?? askForRoots(agent, paths);
    this.#grantedRoots.set(agent, asking);
    return (await asking) ? folders.map(({ uri, name }) => ({ uri: uri.toString(), name })) : [];
  }
}

async function askForRoots(agent: string, paths: readonly string[]): Promise<boolean> {
  // No dialog: the agent goes on without the folders, and the user need not answer.
  const words = `The agent ${quote(agent)} asks for the paths of the open folders: ${paths.join(', ')}. It works without them.`;
  return (await askInNotification(words, SHARE)) === SHARE;
}

const OPEN = 'Open page';
const DECLINE = 'Decline';
const RUN = 'Run';
const SHARE = 'Share paths';

function clip(text: string): string {
  return text.length > LONGEST
    ? `${text.slice(0, LONGEST)}… (${text.length - LONGEST} more characters)`
    : text;
}
