// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

interface IBorrower {
    function executeOperation(address token, uint256 amount, uint256 fee) external returns (bool);
}

contract StormLoan {
    IERC20 public immutable token;
    mapping(address => uint256) public credit;
    bool private lending;

    constructor(IERC20 token_) {
        token = token_;
    }

    function deposit(uint256 amount) external {
        require(!lending, "lending");
        credit[msg.sender] += amount;
        require(token.transferFrom(msg.sender, address(this), amount), "transfer");
    }

    function redeem(uint256 amount) external {
        credit[msg.sender] -= amount;
        require(token.transfer(msg.sender, amount), "transfer");
    }

    function repay(uint256 amount) external {
        require(token.transferFrom(msg.sender, address(this), amount), "transfer");
    }

    function flashloan(address receiver, uint256 amount) external {
        uint256 before = token.balanceOf(address(this));
        uint256 fee = (amount * 3) / 1000;
        require(token.transfer(receiver, amount), "transfer");
        lending = true;
        IBorrower(receiver).executeOperation(address(token), amount, fee);
        lending = false;
        require(token.balanceOf(address(this)) >= before + fee, "not repaid");
    }
}
