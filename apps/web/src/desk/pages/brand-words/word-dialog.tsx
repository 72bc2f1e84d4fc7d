import type { DeskBrand, ErrorCode, Locale } from '@candela/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../../portal/components/toast.tsx';
import { ApiError, call } from '../../../shell/api/client.ts';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { act } from '../../queries.ts';
import { wordsKey } from './queries.ts';

/** A text to put in force, or null for that of the file. */
export type WordChange = { kind: 'save'; text: string } | { kind: 'back'; text: null };

interface WordDialogProps {
  brand: DeskBrand;
  place: { locale: Locale; key: string };
  change: WordChange;
  /** Hears what is wrong with the text, if anything is. */
  onDone: (fault: ErrorCode | undefined) => void;
  onClose: () => void;
}

/** Asks why a text changes, and changes it. A fault of the text is none of the reason: it ends the dialog. */
export const WordDialog = ({ brand, place: { locale, key }, change, onDone, onClose }: WordDialogProps) => {
  const { t } = useTranslation('desk');
  const queries = useQueryClient();
  const fault = useRef<ErrorCode>(undefined);
  const renew = () => queries.invalidateQueries({ queryKey: wordsKey });
  const carryOut = async (reason: string) => {
    fault.current = undefined;
    const body = { base: brand.version, reason, words: { [locale]: { [key]: change.text } } };
    try {
      await act(() => call('PATCH /api/desk/brands/:brand', { params: { brand: brand.id }, body }));
      notify(t('app.done'));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'words_changed') await renew();
      fault.current = error.fields[`${locale}.${key}`];
      if (!fault.current) throw error;
    }
  };
  return (
    <ReasonDialog
      title={t(`desk.words.${change.kind}Title`)}
      text={t(`desk.words.${change.kind}Text`)}
      action={t(`desk.words.${change.kind}`)}
      carryOut={carryOut}
      onDone={async () => {
        await renew();
        onDone(fault.current);
      }}
      onClose={onClose}
    />
  );
};
