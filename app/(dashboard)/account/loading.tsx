export { LoadingForm as default } from "#components/loading-pages.tsx";
