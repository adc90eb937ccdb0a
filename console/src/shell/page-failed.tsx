// A page that has failed while it was shown: the rest of the application stays.

import type { ErrorComponentProps } from '@tanstack/react-router';
import { Failed } from '#console/components/states.tsx';

export const PageFailed = ({ error, reset }: ErrorComponentProps) => <Failed error={error} onRetry={reset} />;
