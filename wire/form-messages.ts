import { MESSAGE_LANGUAGES } from '../core/catalog/languages.ts';
import type { MessageLanguage } from '../core/catalog/protocols.ts';
import { isMessage, isOneOf, isRecord, isString, type Guarded } from '../core/guard.ts';

/** The kinds of form fields. The input of each kind is represented as text. */
export const FIELD_KINDS = [
  'text',
  'integer',
  'number',
  /** `true` or `false`. */
  'boolean',
  /** The index of one of `choices`, from 0. */
  'choice',
  /** The indices of selected `choices`, one for each line. */
  'choices',
  /** One text for each line. */
  'list',
  /** JSON text. */
  'json',
  /** JSON if the text is valid JSON, else the text itself. */
  'any',
] as const;

export type FieldKind = (typeof FIELD_KINDS)[number];

/** A field of a form, made from a property of a JSON Schema. */
export interface FormField {
  /** The property's name. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  /** The input is neither displayed nor stored. */
  readonly isSecret: boolean;
  /** Additional requirements: `integer from 1 to 10`. */
  readonly hint: string;
  readonly choices: readonly FormChoice[];
}

export interface FormChoice {
  readonly label: string;
  /** The value as JSON text. */
  readonly json: string;
}

/**
 * The inputs by field name. A missing name is an empty input, and an
 * optional field with an empty input is omitted from the request.
 */
export type FormInputs = Readonly<Record<string, string>>;

/** The problems by field name, one sentence each; the empty name is for problems of the form as a whole. */
export type FormFaults = Readonly<Record<string, string>>;

/** The forms of a previewed request: the JSON of the agent's protocol, a command for a shell, or a language. */
export type PreviewForm = 'json' | 'curl' | MessageLanguage;

/** The words for each form, in the order in which they are offered. */
export const PREVIEW_WORDS: ReadonlyMap<PreviewForm, string> = new Map<PreviewForm, string>([
  ['json', 'JSON of the agent'],
  ['curl', 'cURL'],
  ...MESSAGE_LANGUAGES.map(({ id, title }) => [id, title] as const).toReversed(),
]);

/** The request in one of the forms that are possible for its agent. */
export interface FormPreview {
  readonly form: PreviewForm;
  readonly forms: readonly PreviewForm[];
  readonly text: string;
}

/** Extension to page: the complete form. */
export interface ShowForm {
  readonly type: 'show';
  /** What the form is for and which agent requests it. */
  readonly heading: string;
  readonly message: string;
  readonly fields: readonly FormField[];
  readonly inputs: FormInputs;
  /** The label of the submit button. */
  readonly submit: string;
  /** The label of the decline button; absent if the form can only be closed. */
  readonly decline?: string;
}

/** Extension to page: the problems of the current inputs, and a preview of the request. */
export interface FormChecked {
  readonly type: 'checked';
  readonly faults: FormFaults;
  readonly preview?: FormPreview;
}

/** Extension to page: the state of the form; one that is `held` can be submitted anyway. */
export interface FormState {
  readonly type: 'state';
  readonly state: 'idle' | 'working' | 'ok' | 'error' | 'held';
  readonly words: string;
  /** The completed share that the agent reported, from 0 to 1. */
  readonly share?: number;
}

export type ToForm = ShowForm | FormChecked | FormState;

/** Guards stored inputs of a form. */
export function isTexts(value: unknown): value is FormInputs {
  return isRecord(value) && Object.values(value).every(isString);
}

const isForm = isOneOf([...PREVIEW_WORDS.keys()]);

/** Guards messages from the page. */
export const isFromForm = isMessage({
  /** The current inputs. */
  changed: { inputs: isTexts },
  submit: { inputs: isTexts },
  /** Submits in spite of problems. */
  submitAnyway: { inputs: isTexts },
  /** Preview the request in another form. */
  preview: { form: isForm },
  /** The script is ready. */
  ready: {},
  decline: {},
  /** The form is left. */
  cancel: {},
  /** Cancel the running request. */
  stop: {},
  /** Copy the request. */
  copy: {},
});

export type FromForm = Guarded<typeof isFromForm>;
