import { platformPresets } from '@candela/contract/rules/client-presets';
import { earlyFaultOf } from '@candela/contract/rules/client-uri';
import { useTranslation } from 'react-i18next';
import { AddressList } from './address-list.tsx';
import { CodeBlock } from './code-block.tsx';
import { type Draft, platformUris, returnsTo } from './draft.ts';
import { idOf } from './registration-form.tsx';
import { TextField } from './text-field.tsx';
import type { useRegistration } from './use-registration.ts';

interface ReturnQuestionProps {
  prefix: string;
  draft: Draft;
  form: Pick<ReturnType<typeof useRegistration>, 'problems' | 'mark' | 'clear'>;
  onChange: (part: Partial<Draft>) => void;
}

const hintOf = ({ preset }: Draft) => {
  if (preset === 'native') return 'newClient.urisOfNative';
  return platformPresets.some((platform) => platform === preset)
    ? 'newClient.urisFromPlatform'
    : 'newClient.urisHint';
};

/** The field of the id at a platform, the answer that fills it in, and an example. */
const ids = {
  alexa: { field: 'vendor_id', answer: 'vendorId', words: 'vendor', example: 'M2AAAAAAAAAAAA' },
  'google-home': { field: 'project_id', answer: 'projectId', words: 'project', example: 'our-lights-1a2b3' },
  ifttt: { field: 'service_id', answer: 'serviceId', words: 'service', example: 'our_lights' },
} as const;

/** The id at the platform, from which the addresses follow. */
const PlatformId = ({ prefix, draft, form, onChange }: ReturnQuestionProps) => {
  const { t } = useTranslation('developers');
  const id = Object.entries(ids).find(([preset]) => preset === draft.preset)?.[1];
  if (!id) return null;
  const { field, answer, words, example } = id;
  return (
    <TextField
      id={idOf(prefix, field)}
      label={t(`newClient.${words}`)}
      hint={t(`newClient.${words}Hint`)}
      problem={form.problems[field]}
      value={draft[answer]}
      maxLength={64}
      placeholder={example}
      onChange={(text) => onChange({ [answer]: text })}
    />
  );
};

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
          hint={t(hintOf(draft))}
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
    case 'id':
      return <PlatformId prefix={prefix} draft={draft} form={form} onChange={onChange} />;
    case 'platform':
      return (
        <div>
          <p>{t('newClient.urisOfPlatform')}</p>
          <CodeBlock label={t('newClient.uris')} text={(platformUris[draft.preset] ?? []).join('\n')} />
        </div>
      );
    default:
      return <p>{t('newClient.nowhere')}</p>;
  }
};
