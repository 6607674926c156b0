import { element, setText } from '../shared/element.ts';

/** A picture that can be zoomed. */
interface Picture {
  readonly root: HTMLElement;
  /** What stands beside the other buttons: it says how large the picture is shown. */
  readonly tool: HTMLElement;
}

/** Pixels of a picture that is enlarged as squares, so that each can be told. */
const SMALL = 256;

/** A picture that fits its place; a click shows it in its actual size, and the next one fits it again. */
export function buildPicture(address: string, alt: string, onFault: () => void): Picture {
  const image = element('img', { class: 'picture' });
  const frame = element('button', { class: 'frame', attributes: { type: 'button' } }, image);
  const tool = element('button', { class: 'button', attributes: { type: 'button' } });
  const zoom = (to: 'fit' | 'actual'): void => {
    frame.classList.toggle('actual', to === 'actual');
    const next = to === 'fit' ? 'Actual size' : 'Fit to window';
    setText(tool, next);
    frame.title = next;
  };
  const turn = (): void => zoom(frame.classList.contains('actual') ? 'fit' : 'actual');
  frame.addEventListener('click', turn);
  tool.addEventListener('click', turn);
  image.addEventListener('error', () => onFault());
  image.addEventListener('load', () =>
    image.classList.toggle('small', Math.max(image.naturalWidth, image.naturalHeight) <= SMALL),
  );
  image.alt = alt;
  image.src = address;
  zoom('fit');
  return { root: frame, tool };
}
