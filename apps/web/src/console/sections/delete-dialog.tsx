import type { RegisteredClient } from '@candela/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { OnlyField } from '../../flow/components/field.tsx';
import { retype } from '../../flow/components/retype.ts';
import { Dialog } from '../../flow/dialog/dialog.tsx';
import { clientsQuery } from '../../portal/account/queries.ts';
import { notify } from '../../portal/components/toast.tsx';
import { call } from '../../shell/api/client.ts';
import { Actions } from '../../shell/components/actions.tsx';
import { Button } from '../../shell/components/button.tsx';
import column from '../../shell/components/column.module.css';
import { ErrorSummary } from '../../shell/components/error-summary.tsx';
import type { Problem } from '../../shell/forms/form-errors.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { openPage } from '../../shell/navigation/open-page.ts';
import { keyOf } from '../queries.ts';
import { TextField } from '../text-field.tsx';

const isOfName = ({ code }: Problem): boolean => code === 'confirmation_differs';

/** Deletes the client once its name is typed. */
export const DeleteDialog = ({ client, onClose }: { client: RegisteredClient; onClose: () => void }) => {
  const { t } = useTranslation('developers');
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const { client_id: clientId, client_name: app, links: count } = client;
  const field = () => form.current?.querySelector('input');
  useEffect(() => field()?.focus(), []);
  const { busy, run } = useSubmit(
    async () => {
      setProblem(undefined);
      await call('DELETE /api/clients/:id', { params: { id: clientId }, body: { confirm: typed.trim() } });
      onClose();
      await queries.invalidateQueries({ queryKey: clientsQuery.queryKey });
      notify(t('client.ending.deleted', { app }));
      await openPage('/developers', () => navigate('/developers', { replace: true }));
      queries.removeQueries({ queryKey: keyOf(clientId) });
    },
    (error) => {
      setProblem(error);
      if (isOfName(error)) retype({ current: field() ?? null });
    },
  );
  const ofName = problem && isOfName(problem) ? problem : undefined;
  return (
    <Dialog title={t('client.ending.deleteTitle', { app })} form onClose={onClose}>
      <form
        ref={form}
        className={column.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <p>{count > 0 ? t('client.ending.stops', { count }) : t('client.ending.stopsNone')}</p>
        <ErrorSummary errors={problem && !ofName ? { form: problem } : {}} fields={[]} />
        <OnlyField value={true}>
          <TextField
            id={id}
            label={t('client.ending.confirm', { app })}
            problem={ofName}
            value={typed}
            onChange={setTyped}
          />
        </OnlyField>
        <Actions>
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button look="danger" type="submit" busy={busy}>
            {t('client.ending.delete')}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
};
