import { earlyFaultOf } from '@candela/contract/rules/client-uri';
import { useTranslation } from 'react-i18next';
import { AddressList } from './address-list.tsx';
import { CodeBlock } from './code-block.tsx';
import { type Draft, HOME_ASSISTANT_URI, returnsTo } from './draft.ts';
import { idOf } from './registration-form.tsx';
import { TextField } from './text-field.tsx';
import type { useRegistration } from './use-registration.ts';

interface ReturnQuestionProps {
  prefix: string;
  draft: Draft;
  form: Pick<ReturnType<typeof useRegistration>, 'problems' | 'mark' | 'clear'>;
  onChange: (part: Partial<Draft>) => void;
}

/** Where people return to: addresses, the id at the platform, or nothing, by the kind of app. */
export const ReturnQuestion = ({ prefix, draft, form, onChange }: ReturnQuestionProps) => {
  const { t } = useTranslation('developers');
  const { problems, mark } = form;
  const isNative = draft.preset === 'native';
  switch (returnsTo[draft.preset]) {
    case 'uris':
      return (
        <AddressList
          legend={t('newClient.where')}
          field="redirect_uris"
          prefix={prefix}
          hint={t(isNative ? 'newClient.urisOfNative' : 'newClient.urisHint')}
          least={1}
          lines={draft.uris}
          problems={problems}
          onChange={(uris) => {
            if (uris.length !== draft.uris.length) form.clear();
            onChange({ uris });
          }}
          onLeave={(index) => {
            const line = draft.uris[index]?.trim();
            const fault = line ? earlyFaultOf(line, isNative ? 'native' : 'web') : undefined;
            mark(`redirect_uris.${index}`, fault && { code: fault[0] });
          }}
        />
      );
    case 'vendor':
      return (
        <TextField
          id={idOf(prefix, 'vendor_id')}
          label={t('newClient.vendor')}
          hint={t('newClient.vendorHint')}
          problem={problems.vendor_id}
          value={draft.vendorId}
          maxLength={40}
          placeholder="M2AAAAAAAAAAAA"
          onChange={(vendorId) => onChange({ vendorId })}
        />
      );
    case 'project':
      return (
        <TextField
          id={idOf(prefix, 'project_id')}
          label={t('newClient.project')}
          hint={t('newClient.projectHint')}
          problem={problems.project_id}
          value={draft.projectId}
          maxLength={40}
          placeholder="our-lights-1a2b3"
          onChange={(projectId) => onChange({ projectId })}
        />
      );
    case 'platform':
      return (
        <div>
          <p>{t('newClient.urisOfPlatform')}</p>
          <CodeBlock label={t('newClient.uris')} text={HOME_ASSISTANT_URI} />
        </div>
      );
    default:
      return <p>{t('newClient.nowhere')}</p>;
  }
};
