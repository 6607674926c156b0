import { LANGUAGES, type LanguageId } from '../core/catalog/languages.ts';
import {
  isBoolean,
  isListOf,
  isMessage,
  isOneOf,
  isOptional,
  isRecord,
  isShape,
  isString,
} from '../core/guard.ts';

/** How a field of a form is filled in. What is typed is a text in each of them. */
export const FIELD_KINDS = [
  'text',
  'integer',
  'number',
  /** `true` or `false`. */
  'boolean',
  /** The number of one of `choices`, from 0. */
  'choice',
  /** The numbers of some of `choices`, a line each. */
  'choices',
  /** A text of each line. */
  'list',
  /** JSON text. */
  'json',
  /** JSON text where it is some, else a text. */
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
  /** What is typed is neither shown nor kept. */
  readonly isSecret: boolean;
  /** What it has to hold besides: `integer from 1 to 10`. */
  readonly hint: string;
  readonly choices: readonly FormChoice[];
}

export interface FormChoice {
  readonly label: string;
  /** The value as JSON text. */
  readonly json: string;
}

/** What stands in each field, by its name; a field that is not named is empty, and an empty one that may be left out is. */
export type FormInputs = Readonly<Record<string, string>>;

/** What is wrong, by the name of the field: a sentence each. Under the empty name what is about none of them. */
export type FormFaults = Readonly<Record<string, string>>;

/** A request as it will go out. */
export interface FormPreview {
  readonly language: LanguageId;
  readonly text: string;
}

/** The extension to the page: the whole form. */
export interface ShowForm {
  readonly type: 'show';
  /** What the form is about, and who asks for it. */
  readonly heading: string;
  readonly message: string;
  readonly fields: readonly FormField[];
  readonly inputs: FormInputs;
  /** The word on the button that sends the form. */
  readonly submit: string;
  /** The word on the button that refuses it; absent where closing is all there is. */
  readonly decline?: string;
}

/** The extension to the page: what is wrong with what stands in the fields, and what would be sent. */
export interface FormChecked {
  readonly type: 'checked';
  readonly faults: FormFaults;
  readonly preview?: FormPreview;
}

/** The extension to the page: what becomes of the form; one that is `held` may be sent anyway. */
export interface FormState {
  readonly type: 'state';
  readonly state: (typeof FORM_STATES)[number];
  readonly words: string;
}

const FORM_STATES = ['idle', 'working', 'ok', 'error', 'held'] as const;

export type ToForm = ShowForm | FormChecked | FormState;

/** The page to the extension: what stands in the fields now; `submit` sends it, `submitAnyway` whatever is wrong with it. */
export interface FormFilled {
  readonly type: 'changed' | 'submit' | 'submitAnyway';
  readonly inputs: FormInputs;
}

/** The page to the extension: show the request in another language. */
export interface ChoosePreview {
  readonly type: 'preview';
  readonly language: LanguageId;
}

/** The page to the extension: its script runs; the form is refused, or left; stop what runs; copy the request. */
export interface FormPlain {
  readonly type: 'ready' | 'decline' | 'cancel' | 'stop' | 'copy';
}

export type FromForm = FormFilled | ChoosePreview | FormPlain;

/** Guards what a form kept of earlier inputs. */
export function isTexts(value: unknown): value is FormInputs {
  return isRecord(value) && Object.values(value).every(isString);
}

const isLanguage = isOneOf(LANGUAGES.map(({ id }) => id));
const isField = isShape<FormField>({
  name: isString,
  title: isString,
  description: isString,
  kind: isOneOf(FIELD_KINDS),
  isRequired: isBoolean,
  isSecret: isBoolean,
  hint: isString,
  choices: isListOf(isShape<FormChoice>({ label: isString, json: isString })),
});

/** Guards what arrives in the page. */
export const isToForm = isMessage<ToForm>({
  show: {
    heading: isString,
    message: isString,
    fields: isListOf(isField),
    inputs: isTexts,
    submit: isString,
    decline: isOptional(isString),
  },
  checked: {
    faults: isTexts,
    preview: isOptional(isShape<FormPreview>({ language: isLanguage, text: isString })),
  },
  state: { state: isOneOf(FORM_STATES), words: isString },
});

/** Guards what arrives from the page. */
export const isFromForm = isMessage<FromForm>({
  changed: { inputs: isTexts },
  submit: { inputs: isTexts },
  submitAnyway: { inputs: isTexts },
  preview: { language: isLanguage },
  ready: {},
  decline: {},
  cancel: {},
  stop: {},
  copy: {},
});
