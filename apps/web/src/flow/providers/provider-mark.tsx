import type { ProviderKindName } from '@candela/contract';
import type { ReactNode } from 'react';

/** A circle of four arcs with a bar to its centre: the letter G in Google’s four colours. */
const google = (
  <g fill="none" strokeWidth="4">
    <path stroke="#EA4335" d="M4.94 8.24A8 8 0 0 1 17.94 6.65" />
    <path stroke="#FBBC05" d="M4.94 15.76a8 8 0 0 1 0-7.52" />
    <path stroke="#34A853" d="M16.93 18.3A8 8 0 0 1 4.94 15.76" />
    <path stroke="#4285F4" d="M12.2 12H20a8 8 0 0 1-3.07 6.3" />
  </g>
);

/** In the colour of the words, as Apple asks. */
const apple = (
  <path
    fill="currentColor"
    d="M12.1 7.5c-1.1 0-2.3-.9-3.9-.9-2.6 0-4.9 2.2-4.9 6 0 4.2 2.9 9.2 5.4 9.2 1.3 0 1.9-.8 3.5-.8s2.1.8 3.4.8c1.9 0 3.9-2.9 4.8-5.7-1.9-.8-3-2.4-3-4.4 0-1.8.9-3.2 2.5-4.2-.9-1.2-2.3-1.8-3.9-1.8s-2.7 1.8-3.9 1.8zM15.9 1.5c.2 2.5-1.8 4.7-4 4.7-.2-2.4 1.9-4.6 4-4.7z"
  />
);

const wechat = (
  <g fill="#07C160">
    <path d="M9.2 3C4.9 3 1.5 5.8 1.5 9.3c0 2 1.1 3.7 2.8 4.9l-.8 2.3 2.8-1.4c.8.2 1.6.4 2.5.4-.2-.5-.3-1-.3-1.6 0-3.3 3.1-5.9 6.9-5.9h.7C15.4 5.1 12.6 3 9.2 3z" />
    <path d="M22.5 14c0-2.9-2.9-5.2-6.4-5.2S9.7 11.1 9.7 14s2.9 5.2 6.4 5.2c.7 0 1.4-.1 2.1-.3l2.3 1.2-.6-1.9c1.6-1 2.6-2.5 2.6-4.2z" />
    <g fill="#fff">
      <circle cx="6.6" cy="7.4" r="1" />
      <circle cx="11.7" cy="7.4" r="1" />
      <circle cx="14" cy="12.5" r=".8" />
      <circle cx="18.2" cy="12.5" r=".8" />
    </g>
  </g>
);

const vk = (
  <>
    <rect width="22" height="22" x="1" y="1" rx="5.5" fill="#07F" />
    <path
      fill="#fff"
      d="M12.7 16.5c-4.9 0-7.7-3.3-7.8-8.9h2.5c.1 4.1 1.9 5.8 3.3 6.2V7.6H13v3.5c1.4-.2 2.9-1.8 3.4-3.5h2.3c-.4 2.2-2 3.8-3.1 4.5 1.1.5 2.9 1.9 3.6 4.4h-2.5c-.6-1.7-1.9-3-3.7-3.2v3.2z"
    />
  </>
);

const yandex = (
  <>
    <circle cx="12" cy="12" r="11" fill="#FC3F1D" />
    <path
      fill="#fff"
      d="M13.5 18.7h2.3V5.3h-3.3c-2.8 0-4.5 1.6-4.5 4.1 0 1.9.9 3 2.5 4.2l-2.9 5.1h2.6l3-5.6-1-.7c-1.3-.8-1.9-1.6-1.9-3.1 0-1.3.8-2.1 2.2-2.1h1z"
    />
  </>
);

/** A speech bubble that says the name. */
const line = (
  <>
    <rect width="22" height="22" x="1" y="1" rx="5.5" fill="#06C755" />
    <path
      fill="#fff"
      d="M12 4.8c-4.5 0-8.2 2.8-8.2 6.4 0 3.1 2.7 5.7 6.5 6.2.6.2.7.5.5 1.1l-.2 1.2c0 .4.2.6.7.3 2.9-1.6 8.9-4.9 8.9-8.8 0-3.6-3.7-6.4-8.2-6.4z"
    />
    <path
      fill="none"
      stroke="#06C755"
      strokeWidth="1"
      strokeLinecap="round"
      strokeLinejoin="round"
      d="M6.6 9.6v3.3h1.5M10 9.6v3.3m1.6 0V9.6l2 3.3V9.6m3.8 0h-1.7v3.3h1.7m-1.7-1.6h1.5"
    />
  </>
);

/** A key, in the colour of the words: nobody’s mark. */
const oidc = (
  <g fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round">
    <circle cx="8" cy="12" r="4.2" />
    <path d="M12.2 12H21m-2.8 0v3.2m-3-3.2v2.4" />
  </g>
);

/** Our own drawing of the mark of each kind, in its owner’s colours, on a square of 24. */
const marks: Readonly<Record<ProviderKindName, ReactNode>> = {
  google,
  apple,
  wechat,
  vk,
  yandex,
  line,
  oidc,
};

export const ProviderMark = ({
  kind,
  className,
}: {
  kind: ProviderKindName;
  className?: string | undefined;
}) => (
  <svg className={className} width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
    {marks[kind]}
  </svg>
);
