import type { Account } from '@candela/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../flow/dialog/dialog.tsx';
import { call } from '../../../shell/api/client.ts';
import { bring } from '../../../shell/bring.ts';
import { part, prepare } from '../../../shell/chunk/part.tsx';
import { Skeleton } from '../../../shell/components/skeleton.tsx';
import { type Problem, useProblemText } from '../../../shell/forms/form-errors.ts';
import { useSubmit } from '../../../shell/forms/use-submit.ts';
import { accountQuery } from '../../account/queries.ts';
import { notify } from '../../components/toast.tsx';
import { AvatarChooser } from './avatar-chooser.tsx';
import { type Crop, cutPicture, openPicture, type Picture } from './picture.ts';

const AvatarCropper = part(
  async () => (await bring(() => import('./avatar-cropper.tsx'))).AvatarCropper,
  () => <Skeleton heights={[288, 48]} />,
);

const useAvatarProblem = (problem: Problem | undefined): string | undefined => {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  if (problem?.code === 'unsupported_media_type') return t('settings.avatar.notPicture');
  if (problem?.code === 'too_large') return t('settings.avatar.tooLarge');
  return problem && problemText(problem);
};

/** The dialog for a new picture: the person chooses and crops it, and the dialog uploads it. */
export const AvatarDialog = ({ account, onClose }: { account: Account; onClose: () => void }) => {
  const { t } = useTranslation('account');
  const client = useQueryClient();
  const [picture, setPicture] = useState<Picture>();
  const [problem, setProblem] = useState<Problem>();
  const problemText = useAvatarProblem(problem);
  useEffect(() => () => picture?.bitmap.close(), [picture]);

  const opening = useSubmit(async (file: File) => {
    setProblem(undefined);
    prepare(AvatarCropper);
    setPicture(await openPicture(file));
  }, setProblem);
  const saving = useSubmit(async (crop: Crop) => {
    if (!picture) return;
    setProblem(undefined);
    const body = await cutPicture(picture, crop);
    client.setQueryData(accountQuery.queryKey, await call('PUT /api/account/avatar', { body }));
    notify(t('app.done'));
    onClose();
  }, setProblem);

  return (
    <Dialog title={t('settings.avatar.title')} form onClose={onClose}>
      {picture ? (
        <AvatarCropper
          picture={picture}
          busy={saving.busy}
          problem={problemText}
          onSave={saving.run}
          onAnother={() => {
            setProblem(undefined);
            setPicture(undefined);
          }}
          onCancel={onClose}
        />
      ) : (
        <AvatarChooser
          account={account}
          busy={opening.busy}
          problem={problemText}
          onChoose={opening.run}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
};
