import type { Authorization } from '@candela/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PermissionList } from '../../../flow/approval/permission-list.tsx';
import { Dialog } from '../../../flow/dialog/dialog.tsx';
import { choicesOf, keptOf } from '../../../flow/scopes/permissions.ts';
import { call } from '../../../shell/api/client.ts';
import prose from '../../../shell/components/prose.module.css';
import type { Problem } from '../../../shell/forms/form-errors.ts';
import { useSubmit } from '../../../shell/forms/use-submit.ts';
import { authorizationsQuery } from '../../account/queries.ts';
import { notify } from '../../components/toast.tsx';
import { DialogForm } from '../../dialog/dialog-form.tsx';

interface NarrowDialogProps {
  authorization: Authorization;
  onClose: () => void;
}

/** What an app may do, and what of it its person can take away. The words are those of the consent. */
export const NarrowDialog = ({ authorization, onClose }: NarrowDialogProps) => {
  const { t } = useTranslation('security');
  const client = useQueryClient();
  const [declined, setDeclined] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<Problem>();
  const { id, client: app, label } = authorization;
  const title = t('links.permissionsOf', {
    app: label ? t('links.named', { app: app.name, label }) : app.name,
  });
  const toggle = (keys: readonly string[]) =>
    setDeclined((before) =>
      keys.some((key) => before.includes(key))
        ? before.filter((key) => !keys.includes(key))
        : [...before, ...keys],
    );
  const { busy, run } = useSubmit(async () => {
    setProblem(undefined);
    if (declined.length > 0) {
      const scopes = keptOf(authorization, declined);
      await call('PATCH /api/authorizations/:id', { params: { id }, body: { scopes } });
      await client.refetchQueries({ queryKey: authorizationsQuery.queryKey });
      notify(t('app.done'));
    }
    onClose();
  }, setProblem);
  return (
    <Dialog title={title} form onClose={onClose}>
      <p className={prose.lead}>{t('links.narrow', { app: app.name })}</p>
      <DialogForm
        action={t('links.save')}
        busy={busy}
        problem={problem}
        onSubmit={() => void run()}
        onCancel={onClose}
      >
        <PermissionList
          label={title}
          app={app.name}
          permissions={choicesOf(authorization)}
          declined={declined}
          onToggle={toggle}
        />
        <p className={prose.lead}>{t('links.narrowForGood', { app: app.name })}</p>
      </DialogForm>
    </Dialog>
  );
};
