import { env, Uri, workspace, type Disposable } from 'vscode';
import type {
  AddressQuestion,
  AgentQuestions,
  ApprovalQuestion,
  FormAnswer,
  FormQuestion,
  SamplingQuestion,
} from '../../../agents/questions.ts';
import { quote } from '../../../core/text/quote.ts';
import { askInForm } from '../questions/form-question.ts';
import { askInTime } from '../questions/in-time.ts';
import { askForText } from '../questions/text-question.ts';
import { ToldDocuments } from '../questions/told-document.ts';
import { askInDialog, showWarning } from '../messages.ts';

/** So much of what an agent says stands in a question. */
const LONGEST = 2_000;

/** What agents ask while a call runs, as VS Code asks it. Who asks is always named; a call that ends takes its question back. */
export class UserQuestions implements AgentQuestions, Disposable {
  readonly #extension: Uri;
  readonly #told = new ToldDocuments();
  /** Whether each agent may know the folders of the window, once that was asked. */
  readonly #toldRoots = new Map<string, Promise<boolean>>();

  constructor(extension: Uri) {
    this.#extension = extension;
  }

  dispose(): void {
    this.#told.dispose();
  }

  async fillForm(question: FormQuestion, signal: AbortSignal): Promise<FormAnswer> {
    return askInForm(this.#extension, question, signal);
  }

  /** The whole address is shown: what a page's name hides is where it leads. */
  async openAddress(
    { agent, message, url }: AddressQuestion,
    signal: AbortSignal,
  ): Promise<'accept' | 'decline' | 'cancel'> {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
      showWarning(
        `${agent} wants to open ${quote(url, LONGEST)}, which is no address of the web. It was not opened.`,
        new Map(),
      );
      return 'decline';
    }
    const detail = `${clip(message)}\n\n${url}\n\nOpen it if you know the site ${new URL(url).host}.`;
    const asking = askInDialog(`The agent ${quote(agent)} asks you to open a page`, detail, OPEN, DECLINE);
    const answer = await askInTime(asking, signal);
    if (answer === DECLINE) return 'decline';
    if (answer !== OPEN) return 'cancel';
    return (await env.openExternal(Uri.parse(url, true))) ? 'accept' : 'cancel';
  }

  writeText(question: SamplingQuestion, signal: AbortSignal): Promise<string | undefined> {
    return askForText(question, this.#told, signal);
  }

  async approve({ agent, tool, arguments: json }: ApprovalQuestion, signal: AbortSignal): Promise<boolean> {
    const asking = askInDialog(
      `The agent ${quote(agent)} asks to run the tool ${quote(tool)}`,
      `With these arguments:\n${clip(json)}`,
      RUN,
    );
    return (await askInTime(asking, signal)) === RUN;
  }

  /** Asked once an agent and window: paths tell who somebody is and what they work on. */
  async listRoots(agent: string): Promise<readonly { readonly uri: string; readonly name: string }[]> {
    const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    if (folders.length === 0) return [];
    const paths = folders.map(({ uri }) => uri.fsPath);
    const asking = this.#toldRoots.get(agent) ?? askForRoots(agent, paths);
    this.#toldRoots.set(agent, asking);
    return (await asking) ? folders.map(({ uri, name }) => ({ uri: uri.toString(), name })) : [];
  }
}

async function askForRoots(agent: string, paths: readonly string[]): Promise<boolean> {
  const answer = await askInDialog(
    `Tell the agent ${quote(agent)} which folders are open?`,
    `It asks for them. It would learn:\n\n${paths.join('\n')}`,
    TELL,
  );
  return answer === TELL;
}

const OPEN = 'Open page';
const DECLINE = 'Decline';
const RUN = 'Run it';
const TELL = 'Tell it';

function clip(text: string): string {
  return text.length > LONGEST
    ? `${text.slice(0, LONGEST)}… (${text.length - LONGEST} more characters)`
    : text;
}
