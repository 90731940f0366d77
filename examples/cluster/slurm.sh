#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A sweep as an array of 64 Slurm jobs, and a job that joins them when all are done.
#
#   sh slurm.sh scenarios/capture_envelope.toml 1000000
#
# A job that is killed or preempted is queued again and goes on from its journal.

set -eu
scenario=$1
samples=$2
parts=64

array=$(sbatch --parsable --requeue --cpus-per-task=4 --time=02:00:00 --array=1-$parts \
  --wrap "berth sweep '$scenario' --samples $samples --part \$SLURM_ARRAY_TASK_ID/$parts \
            --threads \$SLURM_CPUS_PER_TASK --no-html --quiet -o p\$SLURM_ARRAY_TASK_ID.h5")
sbatch --dependency=afterok:"$array" --wrap "berth merge p*.h5 -o all.h5"
echo "berth merge p*.h5 -o all.h5 says how far it is; parts still at work are named"
