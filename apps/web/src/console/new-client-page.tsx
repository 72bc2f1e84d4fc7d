import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { BackLink } from '../portal/account/list-heading.tsx';
import { clientsQuery } from '../portal/account/queries.ts';
import { call } from '../shell/api/client.ts';
import { PageHeading } from '../shell/components/page-heading.tsx';
import prose from '../shell/components/prose.module.css';
import { openPage } from '../shell/navigation/open-page.ts';
import { AsCommand } from './as-command.tsx';
import { CommandSwitch } from './command-switch.tsx';
import { DocsLink } from './docs-link.tsx';
import { bodyOf, type Draft, formFieldOf, wordsOf } from './draft.ts';
import { LockedOut, lockOf } from './locked-out.tsx';
import { madeSecret } from './made-secret.ts';
import styles from './new-client-page.module.css';
import { pageOf } from './page-of.ts';
import { offeredPresets, PresetChoice } from './preset-choice.tsx';
import { clientQuery } from './queries.ts';
import { idOf, RegistrationForm } from './registration-form.tsx';
import { ReturnQuestion } from './return-question.tsx';
import { TextField } from './text-field.tsx';
import { useRegistration } from './use-registration.ts';

const firstDraft = (wanted: string | null): Draft => ({
  preset: offeredPresets.find((preset) => preset === wanted) ?? 'web',
  name: '',
  uris: [''],
  vendorId: '',
  projectId: '',
  serviceId: '',
});

const fieldsOf = ({ uris }: Draft): string[] => [
  'preset',
  'client_name',
  ...uris.map((_, index) => `redirect_uris.${index}`),
  'vendor_id',
  'project_id',
  'service_id',
];

/** Registers a client by three answers. */
export const NewClientPage = () => {
  const { t } = useTranslation('developers');
  const [address] = useSearchParams();
  const prefix = useId();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(() => firstDraft(address.get('preset')));
  const [lock, setLock] = useState<ReturnType<typeof lockOf>>();
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));

  const register = async () => {
    const made = await call('POST /api/clients', { body: bodyOf(draft) }).catch((error: unknown) => {
      const found = lockOf(error);
      if (found) return setLock(found);
      throw error;
    });
    if (!made) return;
    const { client, secret } = made;
    const id = client.client_id;
    queries.setQueryData(clientQuery(id).queryKey, client);
    void queries.invalidateQueries({ queryKey: clientsQuery.queryKey });
    setDraft(firstDraft(null));
    if (secret !== undefined) madeSecret.set({ clientId: id, secret });
    await openPage(pageOf(id), () => navigate(pageOf(id), { replace: true }));
  };
  // The server judges all answers together, so that nobody is sent round for one fault after another.
  const form = useRegistration(fieldsOf(draft), register, (field) => formFieldOf(draft, field));

  return (
    <>
      <BackLink to="/developers">{t('developers.title')}</BackLink>
      <PageHeading title={t('newClient.title')} invalid={Object.keys(form.problems).length > 0} />
      {lock ? (
        <LockedOut lock={lock} />
      ) : (
        <>
          <p className={prose.lead}>{t('newClient.text')}</p>
          <p>
            <DocsLink to="presets#which-preset-fits-my-app">{t('documentation.presets')}</DocsLink>
          </p>
          <div className={styles.form}>
            <RegistrationForm
              form={form}
              prefix={prefix}
              edited={draft.name !== '' || draft.uris.some(Boolean)}
              action={t('newClient.submit')}
              look="primary"
              onSubmit={() => void form.run()}
            >
              <PresetChoice
                value={draft.preset}
                onChange={(preset) => {
                  form.clear();
                  change({ preset });
                }}
              />
              <div className={styles.named}>
                <TextField
                  id={idOf(prefix, 'client_name')}
                  label={t('newClient.name')}
                  hint={t('newClient.nameHint')}
                  problem={form.problems.client_name}
                  value={draft.name}
                  onChange={(name) => change({ name })}
                  onLeave={() => draft.name.trim() && form.mark('client_name', undefined)}
                />
              </div>
              <div className={styles.question}>
                <ReturnQuestion prefix={prefix} draft={draft} form={form} onChange={change} />
              </div>
            </RegistrationForm>
            <CommandSwitch />
            <AsCommand
              what={t('newClient.submit')}
              words={wordsOf(draft)}
              request={{ method: 'POST', path: '/api/clients', body: bodyOf(draft) }}
            />
          </div>
        </>
      )}
    </>
  );
};
