import { type FromForm, type ToForm } from '../../../wire/form-messages.ts';
import { FormView } from '../shared/form/form-view.ts';
import { connectHost } from '../shared/host.ts';
import './form.css';

const root = document.getElementById('root');
if (root) {
  const host = connectHost<ToForm, FromForm>(message => form.receive(message));
  const form = new FormView(root, message => host.post(message));
}
