// The entry: providers around the application.

import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './client/answers.ts';
import { watchNetwork } from './client/network.ts';
import { watchPreferences } from './client/preference.ts';
import { TooltipProvider } from './components/overlays/tooltip.tsx';
import { LabelsProvider } from './labels/labels.tsx';
import { pages } from './pages/index.ts';
import { createConsoleRouter } from './router.ts';
import { Gate } from './shell/gate.tsx';
import { styleNonce } from './shell/nonce.ts';
import { followTheme } from './shell/theme.ts';
import { PagesProvider } from './shell/use-pages.ts';
import './styles/tokens.css';
import './styles/base.css';

setNonce(styleNonce());
followTheme();
watchNetwork();
watchPreferences();

const queryClient = createQueryClient();
const router = createConsoleRouter();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no root');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <LabelsProvider>
        <TooltipProvider>
          <PagesProvider value={pages}>
            <Gate>
              <RouterProvider router={router} />
            </Gate>
          </PagesProvider>
        </TooltipProvider>
      </LabelsProvider>
    </QueryClientProvider>
  </StrictMode>,
);
