// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract MinimumStake {
    uint256 private constant STAKE = 3.7 ether;
    mapping(address => bool) public isMember;
    uint256 public members;
    address public treasurer;

    constructor(address keeper) {
        require(keeper != address(0), "no keeper");
        treasurer = keeper;
    }

    function join() external payable {
        require(msg.value == STAKE, "stake is 3.7 ether");
        isMember[msg.sender] = true;
        members += 1;
    }

    function leave(address payable to) external {
        require(members > 0, "nobody joined");
        to.transfer(address(this).balance); // expect: unprotected-ether-withdrawal
    }
}
