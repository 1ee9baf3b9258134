target extended-remote :4321
attach 1
break add if number >= 9
continue
backtrace
print sum
watch sum
continue
delete
continue
print sum
