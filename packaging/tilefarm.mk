# SPDX-License-Identifier: Apache-2.0
# For make: "include PREFIX/share/tilefarm/tilefarm.mk". A rule then makes kernel.b.elf from kernel.c for core B; the
# suffixes nc, t0, t1 and t2 stand for the other cores. TILEFARM_ARCH is the family, TILEFARM_CFLAGS has options for
# `tilefarm cc`. A changed header makes a program again: kernel.b.elf.d lists its headers.
tilefarm_folder := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))
TILEFARM ?= $(tilefarm_folder)../../bin/tilefarm
TILEFARM_ARCH ?= blackhole
TILEFARM_CFLAGS ?= -Wall -Wextra

define tilefarm_rule
%.$(1).elf: %.c
	@rm -f $$@.d
	DEPENDENCIES_OUTPUT='$$@.d $$@' $$(TILEFARM) cc --core $(1) --arch $$(TILEFARM_ARCH) $$(TILEFARM_CFLAGS) $$< -o $$@
	@tr -s ' \\' '\n' <$$@.d | sed -n 's/\.h$$$$/.h:/p' >>$$@.d.headers; cat $$@.d.headers >>$$@.d; rm -f $$@.d.headers
endef
$(foreach core,b nc t0 t1 t2,$(eval $(call tilefarm_rule,$(core))))

# The files *.elf.d must not set the default goal.
tilefarm_goal := $(.DEFAULT_GOAL)
-include $(wildcard *.elf.d)
.DEFAULT_GOAL := $(tilefarm_goal)
