import type { RegisteredClient, SignalStream } from '@candela/contract';
import { signalNames } from '@candela/contract/rules/signal-names';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../flow/components/checkbox.tsx';
import { ChoiceList } from '../../portal/components/choice-list.tsx';
import { notify } from '../../portal/components/toast.tsx';
import { call } from '../../shell/api/client.ts';
import { AsCommand } from '../as-command.tsx';
import { apiPathOf } from '../commands.ts';
import { idOf, RegistrationForm } from '../registration-form.tsx';
import { TextField } from '../text-field.tsx';
import { useClientRefresh } from '../use-client-update.ts';
import { useRegistration } from '../use-registration.ts';
import styles from './signals.module.css';
import { bodyOfStream, draftOfStream, offeredMethods, type StreamDraft } from './stream-draft.ts';

interface StreamFormProps {
  client: RegisteredClient;
  stream: SignalStream | null;
  /** Is called once a stream was made, or came to be one of webhooks. */
  onSecretDue: () => Promise<void>;
}

/** Asks how the app is told, where, and of what. */
export const StreamForm = ({ client, stream, onSecretDue }: StreamFormProps) => {
  const { t } = useTranslation('developers');
  const prefix = useId();
  const [edited, setEdited] = useState<StreamDraft>();
  const id = client.client_id;
  const draft = edited ?? draftOfStream(stream);
  const body = bodyOfStream(draft);
  const edit = (change: Partial<StreamDraft>) => setEdited({ ...draft, ...change });
  const refresh = useClientRefresh(id);
  const form = useRegistration(['endpointUrl', 'events'], async () => {
    const before = stream?.deliveryMethod;
    await call('PUT /api/clients/:id/stream', { params: { id }, body });
    await refresh();
    setEdited(undefined);
    if (body.deliveryMethod === 'webhook' && before !== 'webhook') await onSecretDue();
    else notify(t('client.saved'));
  });
  const toggle = (name: string) =>
    edit({
      events: draft.events.includes(name)
        ? draft.events.filter((other) => other !== name)
        : [...draft.events, name],
    });
  return (
    <>
      <RegistrationForm
        form={form}
        prefix={prefix}
        edited={edited !== undefined}
        locked={client.first_party}
        action={t(stream ? 'settings.save' : 'signals.setUp')}
        onSubmit={() => void form.run()}
      >
        <ChoiceList
          name={`${prefix}-method`}
          legend={t('signals.method')}
          choices={offeredMethods.map((value) => ({
            value,
            label: (
              <span className={styles.choice}>
                <span className={styles.name}>{t(`signals.methods.${value}.name`)}</span>
                <span>{t(`signals.methods.${value}.text`)}</span>
              </span>
            ),
          }))}
          value={draft.deliveryMethod}
          onChange={(deliveryMethod) => edit({ deliveryMethod })}
        />
        {draft.deliveryMethod !== 'poll' && (
          <TextField
            id={idOf(prefix, 'endpointUrl')}
            label={t('signals.endpoint')}
            hint={t('signals.endpointHint')}
            type="url"
            placeholder="https://"
            problem={form.problems.endpointUrl}
            value={draft.endpointUrl}
            maxLength={2000}
            onChange={(endpointUrl) => edit({ endpointUrl })}
          />
        )}
        <details className={styles.events} open={form.problems.events !== undefined || undefined}>
          <summary>{t('signals.chosen', { count: body.events.length, all: signalNames.length })}</summary>
          <fieldset id={idOf(prefix, 'events')} tabIndex={-1}>
            <legend className="visually-hidden">{t('signals.events')}</legend>
            {signalNames.map((name) => (
              <Checkbox key={name} checked={draft.events.includes(name)} onChange={() => toggle(name)}>
                {t(`signals.of.${name}`)} <code translate="no">{name}</code>
              </Checkbox>
            ))}
          </fieldset>
        </details>
      </RegistrationForm>
      <AsCommand
        what={t('client.sections.signals')}
        request={{ method: 'PUT', path: `${apiPathOf(id)}/stream`, body }}
      />
    </>
  );
};
