import { element } from './element.ts';

/** An option of a select element. */
export interface SelectOption {
  readonly value: string;
  readonly label: string;
  readonly isDisabled?: boolean;
}

/** Builds a native select element, which supports keyboard and screen readers. */
export function buildSelect(options: readonly SelectOption[], onChange: () => void): HTMLSelectElement {
  const select = element('select', {});
  setOptions(select, options);
  select.addEventListener('change', onChange);
  return select;
}

/** Updates the options if they differ, and keeps the chosen one. */
export function setOptions(select: HTMLSelectElement, options: readonly SelectOption[]): void {
  const isSame =
    options.length === select.options.length &&
    options.every(({ value, label, isDisabled = false }, at) => {
      const option = select.options[at];
      return option?.value === value && option.text === label && option.disabled === isDisabled;
    });
  if (isSame) return;
  const { value } = select;
  select.replaceChildren(
    ...options.map(({ value, label, isDisabled }) => {
      const option = element('option', { attributes: { value } }, label);
      option.disabled = isDisabled ?? false;
      return option;
    }),
  );
  select.value = value;
}
